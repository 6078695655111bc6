import Foundation

/// Puts a response's head together from the lines as they come. Made once for many responses: its memory is used again.
final class ResponseHeadParser {
    private enum State {
        case empty
        case receiving
        case complete
        case malformed
    }

    /// Most heads fit.
    private static let usualCapacity = 1024
    /// A head beyond that was an exception whose memory is given back.
    private static let largestKeptCapacity = 16 * 1024

    private var state = State.empty
    private var statusCode = 0
    private var httpVersion = ""
    /// The field lines as they came, in memory of our own: that of an array would be looked after with each line.
    private var lines = UnsafeMutableRawBufferPointer.allocate(byteCount: usualCapacity, alignment: 1)
    private var byteCount = 0

    deinit { lines.deallocate() }

    /// Whether the final response's head has been finished.
    var isComplete: Bool { state == .complete }
    /// Whether a status line had no status of three digits. Nothing is taken any more.
    var isMalformed: Bool { state == .malformed }

    /// How many bytes of memory it has.
    var capacity: Int { lines.count }

    /// Makes it ready for another response.
    func reset() {
        state = .empty
        byteCount = 0
        if lines.count > Self.largestKeptCapacity { setCapacity(Self.usualCapacity) }
    }

    /// Takes a line with its line break; returns whether it was the last of a final response's head.
    ///
    /// Lines after the end are trailers and ignored. A new status line starts over: that is how a final response
    /// follows interim ones.
    func append(_ line: UnsafeRawBufferPointer) -> Bool {
        if state == .complete || state == .malformed { return false }
        if line.isStatusLine {
            startResponse(line)
            return false
        }
        guard state == .receiving else { return false }
        guard line.allSatisfy(\.isLineBreak) else {
            store(line)
            return false
        }
        // 101 is a final response: the protocol has been switched, and there is no other.
        if (100..<200).contains(statusCode), statusCode != 101 {
            state = .empty
            return false
        }
        state = .complete
        return true
    }

    /// The finished head, after `append` has returned `true`.
    func finish(url: URL) -> ResponseHead? {
        guard state == .complete else { return nil }
        let headers = HTTPHeaders(receivedLines: UnsafeRawBufferPointer(rebasing: lines[..<byteCount]))
        return ResponseHead(statusCode: statusCode, headers: headers, url: url, httpVersion: httpVersion)
    }

    private func startResponse(_ line: UnsafeRawBufferPointer) {
        byteCount = 0
        let version = line.prefix { !$0.endsWord }
        let rest = line[version.endIndex...].drop { $0.endsWord }
        let status = rest.prefix { !$0.endsWord }
        guard status.count == 3, status.first != UInt8(ascii: "0"), status.allSatisfy({ (48...57).contains($0) })
        else {
            state = .malformed
            return
        }
        httpVersion = String(decoding: version, as: UTF8.self)
        statusCode = status.reduce(0) { $0 * 10 + Int($1) - 48 }
        state = .receiving
    }

    /// Keeps a field line, with a line feed at its end.
    private func store(_ line: UnsafeRawBufferPointer) {
        let (start, end) = (byteCount, byteCount + line.count)
        if end >= lines.count { setCapacity(2 * (end + 1)) }
        UnsafeMutableRawBufferPointer(rebasing: lines[start..<end]).copyMemory(from: line)
        byteCount = end
        // One line is one field, whatever is in it: as with any other byte that has no place there, a space is made of it.
        UnsafeMutableRawBufferPointer(rebasing: lines[start..<max(start, end - 1)])
            .replaceAll(UInt8(ascii: "\n"), with: 0)
        guard line.last != UInt8(ascii: "\n") else { return }
        lines[end] = UInt8(ascii: "\n")
        byteCount += 1
    }

    private func setCapacity(_ capacity: Int) {
        let former = lines
        lines = .allocate(byteCount: capacity, alignment: 1)
        lines.copyMemory(from: UnsafeRawBufferPointer(rebasing: former[..<byteCount]))
        former.deallocate()
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the line begins like a status line (RFC 9112, section 4).
    fileprivate var isStatusLine: Bool {
        count >= 5 && self[0] == UInt8(ascii: "H") && self[1] == UInt8(ascii: "T") && self[2] == UInt8(ascii: "T")
            && self[3] == UInt8(ascii: "P") && self[4] == UInt8(ascii: "/")
    }
}

extension UInt8 {
    fileprivate var isLineBreak: Bool { self == UInt8(ascii: "\r") || self == UInt8(ascii: "\n") }
    fileprivate var endsWord: Bool { self == UInt8(ascii: " ") || isLineBreak }
}
