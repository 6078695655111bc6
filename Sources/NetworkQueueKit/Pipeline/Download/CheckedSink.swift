/// Passes content on to another sink, which finishes only if the check succeeds.
final class CheckedSink: BodySink, @unchecked Sendable {  // see BodySink
    private let sink: any BodySink
    private var check: ContentCheck

    /// - Parameter offset: the number of bytes that are already stored and need not be seen.
    init(_ sink: any BodySink, check: ContentCheck, from offset: Int64) {
        self.sink = sink
        self.check = check
        self.check.skip(offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        try check.update(bytes)
        return try sink.write(bytes)
    }

    func finish() -> SinkCompletion {
        do {
            try check.verify()
        } catch {
            sink.discard()
            return .done(.failure(error))
        }
        return sink.finish()
    }

    func abandon() { sink.abandon() }
    func discard() { sink.discard() }
}

/// Passes content on to a sink that fills a part of which some is already stored, and checks all of the part.
final class CheckedPartSink: BodySink, @unchecked Sendable {  // see BodySink
    private let sink: any BodySink
    private let check: PartCheck
    /// The end of the written bytes, if the sink appends them.
    private var position: Int64?

    /// - Parameter offset: the number of bytes that are already stored, if the sink appends to them; `nil` if the check
    ///   is told by others what is written.
    init(_ sink: any BodySink, _ check: PartCheck, from offset: Int64?) {
        self.sink = sink
        self.check = check
        position = offset
        if let offset { check.noteWritten(upTo: offset) }
    }

    deinit { check.stop() }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        let disposition = try sink.write(bytes)
        if let end = position.map({ $0 + Int64(bytes.count) }) {
            position = end
            check.noteWritten(upTo: end)
        }
        return disposition
    }

    func finish() -> SinkCompletion {
        .pending { [self] report in
            FileSink.queue.async { [self] in
                do throws(NetworkError) {
                    try check.verify()
                } catch {
                    sink.discard()
                    return report(.failure(error))
                }
                sink.finish().tell(report)
            }
        }
    }

    func abandon() {
        check.stop()
        sink.abandon()
    }

    func discard() {
        check.stop()
        sink.discard()
    }
}
