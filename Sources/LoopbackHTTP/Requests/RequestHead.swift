import Foundation

/// A parsed request head, with the framing of the body.
struct RequestHead {
    /// How the end of the request's body is determined.
    enum BodyFraming: Equatable {
        case none
        case length(Int64)
        case chunked
    }

    var method: String
    var target: String
    var version: String
    var headers: ReceivedHeaders
    var bodyFraming: BodyFraming

    /// Whether the client waits for `100 Continue`.
    var expectsContinue: Bool {
        headers["Expect"]?.lowercased() == "100-continue"
    }

    /// Whether the client accepts another request on the connection after this one.
    var allowsKeepAlive: Bool {
        let options = headers["Connection"]?.lowercased() ?? ""
        return version == "HTTP/1.0" ? options.contains("keep-alive") : !options.contains("close")
    }

    /// Parses the bytes of a head, with or without the final empty line; returns `nil` if they are malformed.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var lines = Lines(rest: bytes)
        guard let requestLine = lines.next(),
            let (method, target, version) = RequestHead.parse(requestLine: requestLine)
        else { return nil }
        var headers = ReceivedHeaders()
        headers.fields.reserveCapacity(12)
        while let line = lines.next(), !line.isEmpty {
            guard let field = RequestHead.parse(field: line) else { return nil }
            headers.fields.append(field)
        }
        guard let bodyFraming = RequestHead.bodyFraming(of: headers) else { return nil }
        (self.method, self.target, self.version) = (method, target, version)
        self.headers = headers
        self.bodyFraming = bodyFraming
    }

    private static func parse(requestLine: UnsafeRawBufferPointer) -> (String, String, String)? {
        let space = UInt8(ascii: " ")
        guard let first = requestLine.offset(of: space), first > 0 else { return nil }
        let rest = requestLine.slice(from: first + 1)
        guard let second = rest.offset(of: space), second > 0 else { return nil }
        let version = rest.slice(from: second + 1).text
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return nil }
        return (requestLine.slice(to: first).text, rest.slice(to: second).text, version)
    }

    private static func parse(field line: UnsafeRawBufferPointer) -> ReceivedHeaders.Field? {
        guard let colon = line.offset(of: UInt8(ascii: ":")), colon > 0 else { return nil }
        let name = line.slice(to: colon)
        // RFC 9112 requires rejecting white space in or before a field name: it is line folding or request smuggling.
        guard name.offset(of: UInt8(ascii: " ")) == nil, name.offset(of: UInt8(ascii: "\t")) == nil else { return nil }
        return ReceivedHeaders.Field(name.text, line.slice(from: colon + 1).trimmed.text)
    }

    private static func bodyFraming(of headers: ReceivedHeaders) -> BodyFraming? {
        if let coding = headers["Transfer-Encoding"] {
            return coding.lowercased() == "chunked" ? .chunked : nil
        }
        guard let text = headers["Content-Length"] else { return BodyFraming.none }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int64(text),
            Set(headers.values(for: "Content-Length")).count == 1
        else { return nil }
        return length == 0 ? BodyFraming.none : .length(length)
    }
}
