import CZlib
import Foundation

/// Decodes gzip (any number of members) or deflate incrementally.
final class Inflater: @unchecked Sendable {  // confined to its sink
    private static let outputSize = 64 * 1024

    private let isGzip: Bool
    private var decoder: UnsafeMutableRawPointer?
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: outputSize, alignment: 16)
    /// The first bytes, while they are too few to tell zlib from raw deflate.
    private var beginning: [UInt8] = []
    private var hasBegun = false
    /// True between two members and after the last one.
    private var isAtEnd = false

    init(isGzip: Bool) {
        self.isGzip = isGzip
    }

    deinit {
        if let decoder { czlib_close(decoder) }
        output.deallocate()
    }

    /// Whether the content may end here: before its first byte or after a member.
    var isComplete: Bool { isAtEnd || !hasBegun && beginning.isEmpty }

    /// Decodes the next bytes and passes the output on in pieces.
    func decode(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(NetworkError) -> Void
    ) throws(NetworkError) {
        guard !bytes.isEmpty else { return }
        if decoder == nil {
            beginning.append(contentsOf: bytes)
            guard isGzip || beginning.count >= 2 else { return }
            decoder = czlib_open(isGzip ? CZLIB_GZIP : Self.isZlib(beginning) ? CZLIB_ZLIB : CZLIB_RAW)
            let first = beginning
            beginning = []
            // `withUnsafeBytes` would erase the error type.
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: first.count, alignment: 1)
            defer { copy.deallocate() }
            copy.copyBytes(from: first)
            try inflate(UnsafeRawBufferPointer(copy), body)
        } else {
            try inflate(bytes, body)
        }
    }

    private func inflate(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(NetworkError) -> Void
    ) throws(NetworkError) {
        guard let decoder, let base = output.baseAddress else { throw Self.damaged }
        hasBegun = true
        var rest = bytes
        while !rest.isEmpty {
            if isAtEnd {
                rest = UnsafeRawBufferPointer(rebasing: rest.drop { $0 == 0 })
                // Some servers pad the end with zeros; anything else after a member is another member.
                if rest.isEmpty { return }
                guard isGzip, czlib_reset(decoder) else { throw Self.damaged }
                isAtEnd = false
            }
            var status = CZLIB_MORE
            // If the output buffer is full, the decoder may hold more output.
            var room = 0
            while room == 0, status == CZLIB_MORE {
                var left = rest.count
                room = output.count
                status = czlib_inflate(decoder, rest.baseAddress, &left, base, &room)
                guard status != CZLIB_DAMAGED else { throw Self.damaged }
                rest = UnsafeRawBufferPointer(rebasing: rest[(rest.count - left)...])
                if room < output.count {
                    try body(UnsafeRawBufferPointer(rebasing: output[..<(output.count - room)]))
                }
            }
            if status == CZLIB_END { isAtEnd = true } else if !rest.isEmpty { throw Self.damaged }
        }
    }

    /// Whether the bytes start with a zlib header. Some servers omit it, although RFC 9110 requires it (section
    /// 8.4.1.2).
    private static func isZlib(_ bytes: [UInt8]) -> Bool {
        bytes[0] & 0x0f == 8 && (Int(bytes[0]) << 8 + Int(bytes[1])).isMultiple(of: 31)
    }

    static var damaged: NetworkError { NetworkError(URLError(.cannotDecodeContentData)) }
}

/// The compression of content (RFC 9110, section 8.4.1).
enum ContentCoding {
    case gzip
    case deflate
    /// A coding that was not asked for.
    case unknown

    /// The `Accept-Encoding` value for codings that can be decoded; `nil` if zlib cannot be loaded.
    static let accepted: String? = czlib_load() ? "gzip, deflate" : nil

    /// The coding in `Content-Encoding`, in lower case; `nil` if there is none.
    static func name(in headers: HTTPHeaders) -> String? {
        switch headers["Content-Encoding"]?.utf8.lowercasedText {
        case nil, "", "identity": nil
        // An equivalent name (RFC 9110, section 8.4.1.3).
        case "x-gzip": "gzip"
        case let name?: name
        }
    }

    /// Fails for content that is not compressed.
    init?(_ headers: HTTPHeaders) {
        switch Self.name(in: headers) {
        case nil: return nil
        case "gzip": self = .gzip
        case "deflate": self = .deflate
        default: self = .unknown
        }
    }
}

/// Decodes content and passes it on to another sink.
final class InflatingSink: BodySink, @unchecked Sendable {  // see BodySink
    private let sink: any BodySink
    private let inflater: Inflater

    init(_ sink: any BodySink, isGzip: Bool) {
        self.sink = sink
        inflater = Inflater(isGzip: isGzip)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        var disposition = ExchangeDisposition.proceed
        try inflater.decode(bytes) { piece throws(NetworkError) in
            if case .pause = try sink.write(piece) { disposition = .pause }
        }
        return disposition
    }

    func finish() -> SinkCompletion {
        if inflater.isComplete { return sink.finish() }
        sink.discard()
        return .done(.failure(Inflater.damaged))
    }

    func abandon() { sink.abandon() }
    func discard() { sink.discard() }
}

/// Passes content on to another sink up to a limit.
///
/// A megabyte of compressed zeros can expand to a gigabyte, so decoded content is limited.
final class LimitedSink: BodySink, @unchecked Sendable {  // see BodySink
    private let sink: any BodySink
    private var room: Int64

    init(_ sink: any BodySink, limit: Int64) {
        self.sink = sink
        room = max(limit, 0)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        room -= Int64(bytes.count)
        guard room >= 0 else { throw NetworkError(URLError(.dataLengthExceedsMaximum)) }
        return try sink.write(bytes)
    }

    func finish() -> SinkCompletion { sink.finish() }
    func abandon() { sink.abandon() }
    func discard() { sink.discard() }
}
