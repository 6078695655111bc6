/// Throws content away.
final class DiscardingSink: BodySink {
    func write(_ bytes: UnsafeRawBufferPointer) -> ExchangeDisposition { .proceed }
    func finish() -> Delivery { .done(.success(DeliveredContent())) }
    func abandon() {}
    func discard() {}
}
