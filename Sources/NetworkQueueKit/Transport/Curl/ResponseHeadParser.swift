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
    /// Of all heads of the exchange, and of trailers.
    private var receivedLength = 0
    private var interimCount = 0

    /// Whether the final response's head has been finished.
    var isComplete: Bool { state == .complete }
    /// Whether nothing of a response has come, not even an interim one.
    var isEmpty: Bool { receivedLength == 0 }
    /// Whether there has been an interim response.
    var hasInterim: Bool { interimCount > 0 }
    /// What is wrong with what has been received, as a sentence for people. Nothing is taken any more.
    private(set) var fault: String?

    /// How many bytes of memory it has.
    var capacity: Int { lines.capacity }

    /// Makes it ready for another response.
    func reset() {
        state = .empty
        fault = nil
        receivedLength = 0
        interimCount = 0
        lines.removeAll()
    }

    /// Takes a line with its line break; returns whether it was the last of a final response's head.
    ///
    /// Lines after the end are trailers and ignored. A status line after an interim response starts the next one.
    func append(_ line: UnsafeRawBufferPointer) -> Bool {
        // libcurl before 8 looks at each line alone, and takes as many as there are.
        receivedLength += line.count
        if receivedLength > ResponseHead.maximumSize { refuse(ResponseHead.sizeFault) }
        if state == .complete || state == .malformed { return false }
        if line.isStatusLine {
            // libcurl takes a second one for a field, so what comes before it still counts.
            if state == .empty {
                startResponse(line)
            } else {
                refuse("There is a status line among its header fields.")
            }
            return false
        }
        guard state == .receiving else { return false }
        guard line.allSatisfy(\.isLineBreak) else {
            if let fault = line.fieldFault { refuse(fault) } else { lines.append(line) }
            return false
        }
        // 101 is a final response: the protocol has been switched, and there is no other.
        if (100..<200).contains(statusCode), statusCode != 101 {
            state = .empty
            interimCount += 1
            if interimCount > ResponseHead.maximumInterimCount { refuse(ResponseHead.interimFault) }
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

    private func refuse(_ fault: String) {
        state = .malformed
        self.fault = fault
    }

    private func startResponse(_ line: UnsafeRawBufferPointer) {
        lines.removeAll()
        let version = line.prefix { !$0.endsWord }
        let rest = line[version.endIndex...].drop { $0.endsWord }
        let status = rest.prefix { !$0.endsWord }
        guard version.isKnownVersion, status.count == 3, status.first != UInt8(ascii: "0"),
            status.allSatisfy(\.isDigit)
        else {
            return refuse("Its status line has no known version, or no status of three digits.")
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

    /// What is wrong with a field line (RFC 9112, section 5), whichever of it libcurl's version refuses by itself.
    fileprivate var fieldFault: String? {
        if position(of: 0) != nil { return "One of its header fields has a NUL." }
        // A line that begins with white space goes on with the value before it.
        guard let first, !first.isFieldSpace else { return nil }
        guard let colon = position(of: UInt8(ascii: ":")) else { return "One of its header fields has no colon." }
        // To one reader it is part of the name, to the next it is not.
        return colon > 0 && self[colon - 1].isFieldSpace
            ? "One of its header fields has white space before the colon." : nil
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
    fileprivate var isLineBreak: Bool { self == UInt8(ascii: "\r") || self == UInt8(ascii: "\n") }
    fileprivate var endsWord: Bool { self == UInt8(ascii: " ") || isLineBreak }
}
