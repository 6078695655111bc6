import Foundation

/// Assembles a response's head from its lines. One parser serves many responses, so that its memory is reused.
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
    /// The total length of all heads of the exchange, including trailers.
    private var receivedLength = 0
    private var interimCount = 0
    /// Whether the previewed bytes end within a line.
    private var isWithinLine = false

    /// Whether the final response's head is complete.
    var isComplete: Bool { state == .complete }
    /// Whether nothing of a response has arrived, not even an interim one.
    var isEmpty: Bool { receivedLength == 0 }
    /// Whether an interim response has arrived.
    var hasInterim: Bool { interimCount > 0 }
    /// What is wrong with the received lines, as a sentence for people. If set, no more lines are accepted.
    private(set) var fault: String?

    /// The number of bytes reserved for lines.
    var capacity: Int { lines.capacity }

    /// Prepares the parser for another response.
    func reset() {
        state = .empty
        fault = nil
        receivedLength = 0
        interimCount = 0
        isWithinLine = false
        lines.removeAll()
    }

    /// Looks for a fault in bytes of lines that have not been appended yet. A line may come in several pieces.
    func preview(_ bytes: UnsafeRawBufferPointer) {
        if !isWithinLine { refuseOrphan(bytes) }
        isWithinLine = bytes.last != UInt8(ascii: "\n")
    }

    /// Refuses a line that continues a field although there is none (RFC 9112, section 2.2).
    private func refuseOrphan(_ line: UnsafeRawBufferPointer) {
        if state == .receiving, lines.isEmpty, line.first?.isFieldSpace == true {
            refuse("The first response header begins with white space.")
        }
    }

    /// Takes a line with its line break; returns whether it completes the final response's head.
    ///
    /// Lines after the end are trailers and ignored. A status line after an interim response starts the next one.
    func append(_ line: UnsafeRawBufferPointer) -> Bool {
        // libcurl before 8 limits the length of each line, but not their total.
        receivedLength += line.count
        if receivedLength > ResponseHead.maximumSize { refuse(ResponseHead.sizeFault) }
        if state == .complete || state == .malformed { return false }
        if line.isStatusLine {
            // libcurl takes a second status line for a field, so the fields before it would still count.
            if state == .empty {
                startResponse(line)
            } else {
                refuse("A status line appears among the header fields.")
            }
            return false
        }
        guard state == .receiving else { return false }
        guard line.allSatisfy(\.isLineBreak) else {
            refuseOrphan(line)
            if let fault = line.fieldFault { refuse(fault) } else { lines.append(line) }
            return false
        }
        // 101 is a final response: it switches the protocol, and no other response follows.
        if (100..<200).contains(statusCode), statusCode != 101 {
            state = .empty
            interimCount += 1
            if interimCount > ResponseHead.maximumInterimCount { refuse(ResponseHead.interimFault) }
            return false
        }
        state = .complete
        return true
    }

    /// The complete head, after `append` has returned `true`.
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
            return refuse("The status line has no known HTTP version or no three-digit status.")
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

    /// The fault of a field line (RFC 9112, section 5), whether or not this version of libcurl refuses it, too.
    fileprivate var fieldFault: String? {
        if position(of: 0) != nil { return "A response header contains a NUL byte." }
        // A line that begins with white space continues the value before it.
        guard let first, !first.isFieldSpace else { return nil }
        guard let colon = position(of: UInt8(ascii: ":")) else { return "A response header has no colon." }
        // Some readers take the white space for a part of the name and others do not.
        return colon > 0 && self[colon - 1].isFieldSpace
            ? "A response header has whitespace before its colon." : nil
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Whether the first word of a status line names HTTP 1 to 3; the minor version may be missing.
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
