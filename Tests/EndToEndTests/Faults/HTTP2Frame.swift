/// A frame of HTTP/2 (RFC 9113, section 4.1) as a server sends it, proper or not.
struct HTTP2Frame: Sendable {
    /// As the server's script takes it: hexadecimal digits.
    let text: String

    /// In place of a frame: the server ends the connection.
    static let hangUp = HTTP2Frame(text: "!")
    /// A PING; what follows is sent when the client has answered, and so has read what came before.
    static let whenRead = HTTP2Frame(text: HTTP2Frame(6, stream: 0, Array(repeating: 0, count: 8)).text + "?")

    private init(text: String) { self.text = text }

    init(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 1, length: Int? = nil, _ payload: [UInt8] = []) {
        let head = Self.bytes(of: UInt32(length ?? payload.count)).dropFirst() + [type, flags] + Self.bytes(of: stream)
        self.init(bytes: head + payload)
    }

    /// Any bytes.
    init(bytes: [UInt8]) {
        text = bytes.hexadecimal
    }

    private static func bytes(of number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The head of a response, in the encoding of RFC 7541 without its tables for what was sent before.
    static func head(_ status: String = "200", length: String? = "5", ends: Bool = false, stream: UInt32 = 1) -> Self {
        // The numbers 8 and 28 are `:status` and `content-length`, in prefixes of four bits.
        var block: [UInt8] = [0x08, UInt8(status.utf8.count)] + Array(status.utf8)
        if let length { block += [0x0F, 28 - 15, UInt8(length.utf8.count)] + Array(length.utf8) }
        return HTTP2Frame(1, flags: ends ? 5 : 4, stream: stream, block)
    }

    static func data(_ text: String, ends: Bool = true, stream: UInt32 = 1) -> Self {
        HTTP2Frame(0, flags: ends ? 1 : 0, stream: stream, Array(text.utf8))
    }

    static func reset(_ code: UInt32) -> Self { HTTP2Frame(3, bytes(of: code)) }

    /// - Parameter last: the last stream that the server processes.
    static func goAway(last: UInt32, _ code: UInt32 = 0) -> Self {
        HTTP2Frame(7, stream: 0, bytes(of: last) + bytes(of: code))
    }
}

extension Sequence<UInt8> {
    /// As the scripts of servers take bytes: two digits each.
    var hexadecimal: String {
        map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
    }
}

extension String {
    /// Its UTF-8 as the scripts of servers take bytes.
    var hexadecimal: String { utf8.hexadecimal }
}
