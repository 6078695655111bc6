import Foundation

/// Decodes content on its way to another sink.
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
