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
    private var headers = HTTPHeaders()

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
        if line.starts(with: "HTTP/".utf8) {
            startResponse(line)
            return false
        }
        guard state == .receiving else { return false }
        guard line.allSatisfy({ $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) else {
            headers.appendReceivedLine(line)
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
        defer { headers = HTTPHeaders() }
        return ResponseHead(statusCode: statusCode, headers: headers, url: url, httpVersion: httpVersion)
    }

    private mutating func startResponse(_ line: UnsafeRawBufferPointer) {
        let parts = line.split(maxSplits: 2, omittingEmptySubsequences: true) { $0 == 32 || $0 == 13 || $0 == 10 }
        headers = HTTPHeaders()
        guard parts.count >= 2, parts[1].count == 3, parts[1].allSatisfy({ $0 >= 48 && $0 <= 57 }), parts[1].first != 48
        else {
            state = .malformed
            return
        }
        httpVersion = String(decoding: parts[0], as: UTF8.self)
        statusCode = parts[1].reduce(0) { $0 * 10 + Int($1) - 48 }
        state = .receiving
    }
}
