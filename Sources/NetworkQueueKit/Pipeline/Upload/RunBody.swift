import Foundation

/// The content that one operation sends, the same in all its attempts: measured at the first, read as often as needed.
///
/// It stands between the transport and the body, so that the reason of a failed read is known whatever the transport
/// makes of it.
final class RunBody: Sendable {
    private struct State {
        var body: (any ExchangeBody)?
        /// The latest failure of a read.
        var failure: (any Error)?
    }

    private let request: NetworkRequest
    private let state = Guarded(State())

    /// The content of a request that has some.
    init(of request: NetworkRequest) {
        self.request = request
    }

    /// The body for the next exchange, or what is wrong with it.
    func prepare() throws(NetworkError) -> any ExchangeBody {
        if let body = state.withLock({ $0.body }) { return body }
        let body = Reader(body: try request.prepareBody(), owner: self)
        state.withLock { $0.body = body }
        return body
    }

    /// Notes the end of an exchange; returns what was wrong with the body in it.
    func endExchange() -> NetworkError? {
        let (body, failure) = state.withLock { state in
            defer { state.failure = nil }
            return ((state.body as? Reader)?.body, state.failure)
        }
        (body as? any PreparedBody)?.close()
        return failure.map { NetworkError(unavailable: $0) }
    }

    private func note(_ failure: any Error) {
        state.withLock { $0.failure = failure }
    }

    private struct Reader: WholeFileBody {
        let body: any ExchangeBody
        /// Weak: the owner keeps the reader. Written once.
        nonisolated(unsafe) weak var owner: RunBody?

        var length: Int64 { body.length }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
            do {
                return try body.read(into: buffer, at: offset)
            } catch {
                owner?.note(error)
                throw error
            }
        }

        func wholeFile() throws -> URL? {
            do {
                return try (body as? any WholeFileBody)?.wholeFile()
            } catch {
                owner?.note(error)
                throw error
            }
        }
    }
}
