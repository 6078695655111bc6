import Foundation

/// Reads requests from a channel.
struct RequestReader: ~Copyable {
    private static let largestHead = 256 << 10
    private static let largestChunkLine = 8 << 10

    let channel: Channel
    var input = InputBuffer(capacity: 8 << 10)

    init(channel: Channel) {
        self.channel = channel
    }

    /// Reads the next request's head; returns `nil` if the client ends the connection before the head is complete.
    mutating func readHead() throws -> RequestHead? {
        var searched = 0
        while true {
            skipEmptyLines()
            if let end = RequestReader.endOfHead(input.bytes, from: &searched) {
                defer { input.consume(end) }
                guard let head = RequestHead(input.bytes.slice(to: end)) else {
                    throw Disconnection.malformed(status: 400)
                }
                return head
            }
            if input.count > RequestReader.largestHead { throw Disconnection.malformed(status: 431) }
            guard channel.receive(into: &input, atMost: 4 << 10) else { return nil }
        }
    }

    /// Reads the body into `request`. If this throws, `request` keeps the part that has arrived.
    mutating func readBody(_ framing: RequestHead.BodyFraming, into request: inout ReceivedRequest) throws {
        var checksum = ContentChecksum()
        defer { request.bodyChecksum = checksum.value }
        switch framing {
        case .none: break
        case .length(let length): try read(length, into: &request, &checksum)
        case .chunked:
            while true {
                let size = try readChunkSize()
                if size == 0 { break }
                try read(size, into: &request, &checksum)
                guard try readLine().isEmpty else { throw Disconnection.malformed(status: 400) }
            }
            while try !readLine().isEmpty {}
        }
        request.isComplete = true
    }

    private mutating func read(_ length: Int64, into request: inout ReceivedRequest, _ checksum: inout ContentChecksum)
        throws
    {
        var remaining = length
        while remaining > 0 {
            if input.count == 0 {
                // Only large bodies get a large buffer.
                let room = Int(min(max(remaining, 4 << 10), 256 << 10))
                guard channel.receive(into: &input, atMost: room) else { throw Disconnection.gone }
            }
            let bytes = input.bytes.slice(to: Int(min(remaining, Int64(input.count))))
            checksum.update(bytes)
            request.bodyLength += Int64(bytes.count)
            let kept = min(bytes.count, ReceivedRequest.keptBodySize - request.body.count)
            if kept > 0 { request.body.append(contentsOf: bytes.slice(to: kept)) }
            remaining -= Int64(bytes.count)
            input.consume(bytes.count)
        }
    }

    private mutating func readChunkSize() throws -> Int64 {
        let digits = try readLine().prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        guard let first = digits.first, first.isHexDigit, let size = Int64(digits, radix: 16) else {
            throw Disconnection.malformed(status: 400)
        }
        return size
    }

    private mutating func readLine() throws -> String {
        while true {
            if let end = input.bytes.offset(of: UInt8(ascii: "\n")) {
                var line = input.bytes.slice(to: end)
                if line.last == UInt8(ascii: "\r") { line = line.slice(to: line.count - 1) }
                let text = line.text
                input.consume(end + 1)
                return text
            }
            if input.count > RequestReader.largestChunkLine { throw Disconnection.malformed(status: 400) }
            guard channel.receive(into: &input, atMost: 4 << 10) else { throw Disconnection.gone }
        }
    }

    /// Skips empty lines before a request line, as RFC 9112 recommends.
    private mutating func skipEmptyLines() {
        while let first = input.bytes.first, first == UInt8(ascii: "\r") || first == UInt8(ascii: "\n") {
            input.consume(1)
        }
    }

    /// The offset just after the empty line that ends a head, or `nil` if it has not arrived. `searched` is where the
    /// next search starts.
    private static func endOfHead(_ bytes: UnsafeRawBufferPointer, from searched: inout Int) -> Int? {
        while let lineEnd = bytes.slice(from: searched).offset(of: UInt8(ascii: "\n")) {
            let next = searched + lineEnd + 1
            if next < bytes.count, bytes[next] == UInt8(ascii: "\n") { return next + 1 }
            if next + 1 < bytes.count, bytes[next] == UInt8(ascii: "\r"), bytes[next + 1] == UInt8(ascii: "\n") {
                return next + 2
            }
            // The empty line may have arrived in part; check this line end again next time.
            if next + 1 >= bytes.count { return nil }
            searched = next
        }
        return nil
    }
}
