/// Throws content away.
final class DiscardingSink: BodySink {
    func write(_ bytes: UnsafeRawBufferPointer) -> ExchangeDisposition { .proceed }
    func finish(_ report: @escaping @Sendable (Result<DeliveredContent, NetworkError>) -> Void) {
        report(.success(DeliveredContent()))
    }
    func abandon() {}
    func discard() {}
}
