import Foundation

/// Puts a response's head together from the lines as they come.
struct ResponseHeadParser {
    private enum State {
        case empty
        case receiving
        case complete
        case malformed
    }

    private var state = State.empty
    private var statusCode = 0
    private var httpVersion = ""
    /// The field lines as they came.
    private var lines: [UInt8] = []

    /// Whether the final response's head has been finished.
    var isComplete: Bool { state == .complete }
    /// Whether a status line had no status of three digits. Nothing is taken any more.
    var isMalformed: Bool { state == .malformed }

    /// Takes a line with its line break; returns whether it was the last of a final response's head.
    ///
    /// Lines after the end are trailers and ignored. A new status line starts over: that is how a final response
    /// follows interim ones.
    mutating func append(_ line: UnsafeRawBufferPointer) -> Bool {
        if state == .complete || state == .malformed { return false }
        if line.isStatusLine {
            startResponse(line)
            return false
        }
        guard state == .receiving else { return false }
        guard line.allSatisfy(\.isLineBreak) else {
            lines.append(contentsOf: line)
            if line.last != UInt8(ascii: "\n") { lines.append(UInt8(ascii: "\n")) }
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

    /// The finished head. Call once, after `append` has returned `true`.
    mutating func finish(url: URL) -> ResponseHead? {
        guard state == .complete else { return nil }
        let headers = lines.withUnsafeBytes { HTTPHeaders(receivedLines: $0) }
        lines = []
        return ResponseHead(statusCode: statusCode, headers: headers, url: url, httpVersion: httpVersion)
    }

    private mutating func startResponse(_ line: UnsafeRawBufferPointer) {
        lines.removeAll(keepingCapacity: true)
        // Most heads fit; growth is geometric from here.
        lines.reserveCapacity(512)
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
