import Foundation

/// Lets so many bytes through to another sink.
///
/// A megabyte of compressed zeros can be a gigabyte; what a server has compressed is not taken without an end.
final class LimitedSink: BodySink, @unchecked Sendable {  // see BodySink
    private let sink: any BodySink
    private var room: Int64

    init(_ sink: any BodySink, limit: Int64) {
        self.sink = sink
        room = limit
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
