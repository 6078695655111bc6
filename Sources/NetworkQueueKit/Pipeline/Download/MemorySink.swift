import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Keeps content in memory, up to 256 MiB.
final class MemorySink: BodySink, @unchecked Sendable {  // see BodySink
    private static let limit: Int64 = 256 * 1024 * 1024
    /// A length is the server's word: believe it for a head start, not for gigabytes.
    private static let maximumReservation: Int64 = 1024 * 1024

    private var data = Data()

    init(expecting length: Int64?) {
        if let length, length > 0 { data.reserveCapacity(Int(min(length, Self.maximumReservation))) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> ExchangeDisposition {
        guard Int64(data.count) + Int64(bytes.count) <= Self.limit else {
            throw NetworkError(URLError(.dataLengthExceedsMaximum))
        }
        data.append(contentsOf: bytes)
        return .proceed
    }

    func finish() -> Delivery { .done(.success(DeliveredContent(data: data))) }
    func abandon() { data = Data() }
    func discard() { data = Data() }
}
