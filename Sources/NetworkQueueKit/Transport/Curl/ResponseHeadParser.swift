import Foundation

/// Puts a response's head together from the lines as they come. Made once for many responses: its memory is used again.
final class ResponseHeadParser {
    private enum State {
        case empty
        case receiving
        case complete
        case malformed
    }

    private var state = State.empty
    private var statusCode = 0
    private var httpVersion = ""
    private let lines = HTTPHeaders.ReceivedLines()

    /// Whether the final response's head has been finished.
    var isComplete: Bool { state == .complete }
    /// Whether nothing of a response has come, or nothing since an interim one.
    var isEmpty: Bool { state == .empty }
    /// Whether a line was not what it has to be: a status line without a known version and a status of three digits, a field
    /// without a colon or with a NUL. Nothing is taken any more.
    var isMalformed: Bool { state == .malformed }

    /// How many bytes of memory it has.
    var capacity: Int { lines.capacity }

    /// Makes it ready for another response.
    func reset() {
        state = .empty
        lines.removeAll()
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
            // libcurl refuses such lines itself from 7.83 on.
            if line.isField { lines.append(line) } else { state = .malformed }
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
        return ResponseHead(statusCode: statusCode, headers: lines.makeHeaders(), url: url, httpVersion: httpVersion)
    }

    private func startResponse(_ line: UnsafeRawBufferPointer) {
        lines.removeAll()
        let version = line.prefix { !$0.endsWord }
        let rest = line[version.endIndex...].drop { $0.endsWord }
        let status = rest.prefix { !$0.endsWord }
        guard version.isKnownVersion, status.count == 3, status.first != UInt8(ascii: "0"),
            status.allSatisfy(\.isDigit)
        else {
            state = .malformed
            return
        }
        httpVersion = String(decoding: version, as: UTF8.self)
        statusCode = status.reduce(0) { $0 * 10 + Int($1) - 48 }
        state = .receiving
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the line begins like a status line (RFC 9112, section 4).
    fileprivate var isStatusLine: Bool {
        count >= 5 && self[0] == UInt8(ascii: "H") && self[1] == UInt8(ascii: "T") && self[2] == UInt8(ascii: "T")
            && self[3] == UInt8(ascii: "P") && self[4] == UInt8(ascii: "/")
    }

    /// Whether the line is a field, or goes on with the one before (RFC 9112, section 5).
    fileprivate var isField: Bool {
        guard let first, position(of: 0) == nil else { return false }
        return first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") || position(of: UInt8(ascii: ":")) != nil
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Whether the first word of a status line is the name of HTTP 1 to 3; the minor version may be missing.
    fileprivate var isKnownVersion: Bool {
        let number = dropFirst(5)
        guard let major = number.first, (UInt8(ascii: "1")...UInt8(ascii: "3")).contains(major) else { return false }
        let minor = number.dropFirst()
        return minor.isEmpty || minor.count == 2 && minor.first == UInt8(ascii: ".") && minor.last?.isDigit == true
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLineBreak: Bool { self == UInt8(ascii: "\r") || self == UInt8(ascii: "\n") }
    fileprivate var endsWord: Bool { self == UInt8(ascii: " ") || isLineBreak }
}
