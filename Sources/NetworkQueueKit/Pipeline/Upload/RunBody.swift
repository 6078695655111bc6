import Foundation

/// The content that an operation sends in all its attempts. It is measured at the first and read as often as needed.
///
/// It wraps the body so that the reason for a failed read is known, whatever the transport makes of it.
final class RunBody: Sendable {
    private struct State {
        var body: (any ExchangeBody)?
        /// The latest failure of a read.
        var failure: (any Error)?
        /// The end of what the current exchange has read.
        var end: Int64 = 0
        /// Whether an exchange has read anything twice.
        var isRepeated = false
    }

    private let request: NetworkRequest
    private let state = Guarded(State())

    /// Creates the content of a request that has a body.
    init(of request: NetworkRequest) {
        self.request = request
    }

    /// The body for the next exchange. Throws if it cannot be read.
    func prepare() throws(NetworkError) -> any ExchangeBody {
        if let body = state.withLock({ $0.body }) { return body }
        let body = Reader(body: try request.prepareBody(), owner: self)
        state.withLock { $0.body = body }
        return body
    }

    /// The file that is the content, as it was measured.
    var file: BodyFile? { (state.withLock { ($0.body as? Reader)?.body } as? FileBody)?.file }

    /// Notes the end of an exchange; returns the error of its latest failed read.
    func endExchange() -> NetworkError? {
        let (body, failure) = state.withLock { state in
            defer {
                state.failure = nil
                state.end = 0
            }
            return ((state.body as? Reader)?.body, state.failure)
        }
        (body as? any PreparedBody)?.close()
        return failure.map { NetworkError(unavailable: $0) }
    }

    /// Whether a transport has sent content again within an exchange, as libcurl does by itself if a connection that was
    /// used before is lost. The server may then have received it twice.
    var wasRepeated: Bool { state.withLock { $0.isRepeated } }

    private func noteRead(_ count: Int, at offset: Int64) {
        state.withLock { state in
            if offset < state.end { state.isRepeated = true }
            state.end = offset.addingSaturated(Int64(count))
        }
    }

    private func note(_ failure: any Error) {
        state.withLock { $0.failure = failure }
    }

    private struct Reader: WholeFileBody {
        let body: any ExchangeBody
        /// Weak to avoid a reference cycle; written once.
        nonisolated(unsafe) weak var owner: RunBody?

        var length: Int64 { body.length }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
            do {
                let count = try body.read(into: buffer, at: offset)
                owner?.noteRead(count, at: offset)
                return count
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
