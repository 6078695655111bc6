import Dispatch
import Foundation
import NetworkQueueKit

/// An exchange of a ``ScriptedTransport`` that a test controls. The receiver gets its events one at a time.
public final class ScriptedExchange: ExchangeHandle {
    /// An event that the transport counts.
    enum Event {
        case cancellation
        /// The exchange is about to complete.
        case end
        /// The receiver has processed the completion.
        case completion
        /// The exchange was paused through its handle.
        case pause
        /// The receiver is ready for more content.
        case resumption
        /// The receiver will be called on the queue of the exchange.
        case scheduled
        /// The receiver has been called on the queue of the exchange.
        case delivered
    }

    /// The exchange that the transport was asked to perform.
    public let exchange: HTTPExchange
    let queue = DispatchQueue(label: "ScriptedExchange")
    private let obeysCancellation: Bool
    private let onEvent: @Sendable (Event) -> Void
    private let state: Guarded<State>

    private struct State {
        /// `nil` after the exchange has ended: a transport does not retain a receiver that it has served.
        var receiver: (any ExchangeReceiver)?
        var isCancelled = false
    }

    init(
        _ exchange: HTTPExchange, receiver: (any ExchangeReceiver)?, obeysCancellation: Bool,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.exchange = exchange
        state = Guarded(State(receiver: receiver))
        self.obeysCancellation = obeysCancellation
        self.onEvent = onEvent
    }

    /// An exchange that is over and belongs to no transport.
    static func neverStarted() -> ScriptedExchange {
        let exchange = HTTPExchange(url: URL(filePath: "/never-started"))
        return ScriptedExchange(exchange, receiver: nil, obeysCancellation: true) { _ in }
    }

    /// Whether `cancel()` has been called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether the exchange has completed.
    public var isOver: Bool { receiver == nil }

    /// The path of the requested URL.
    public var path: String { exchange.url.path() }

    /// Delivers the head of a response and waits until the receiver has processed it.
    public func receive(status: Int = 200, headers: HTTPHeaders = [:]) {
        queue.sync { head(status, headers) }
    }

    /// Delivers content, waits until the receiver has processed it, and returns the receiver's answer.
    @discardableResult
    public func receive(_ body: Data) -> ExchangeDisposition {
        queue.sync { content(body) }
    }

    /// Reports the total number of sent bytes and waits until the receiver has processed it.
    public func send(_ totalBytes: Int64) {
        queue.sync { receiver?.exchangeDidSend(totalBytes: totalBytes) }
    }

    /// Reports the exchange's metrics, as transports do just before the end, and waits until the receiver has processed
    /// them.
    public func report(_ metrics: ExchangeMetrics) {
        queue.sync { receiver?.exchange(didCollect: metrics) }
    }

    /// Ends the exchange, with `nil` for a complete response, and waits until the receiver has processed it.
    public func end(_ error: URLError.Code? = nil) {
        queue.sync { complete(error) }
    }

    /// Delivers a whole answer and waits until the receiver has processed it.
    public func answer(_ answer: ScriptedTransport.Answer) {
        queue.sync { perform(answer) }
    }

    /// Records that the exchange is paused although no content has arrived; see ``ScriptedTransport/wait(until:)``.
    ///
    /// The test decides what the receiver gets meanwhile.
    public func pause() { onEvent(.pause) }

    /// Records that the receiver accepts content again; see ``ScriptedTransport/wait(until:)``.
    public func resume() { onEvent(.resumption) }

    /// Records the cancellation. Completes the exchange with `URLError.cancelled` unless the transport was created with
    /// `obeysCancellation: false`.
    public func cancel() {
        let isFirst = state.withLock { state in
            defer { state.isCancelled = true }
            return !state.isCancelled
        }
        if isFirst { onEvent(.cancellation) }
        if obeysCancellation { later { self.complete(.cancelled) } }
    }

    /// Calls the receiver on the queue of the exchange, and tells the transport of it before and after.
    func later(_ deliver: @escaping @Sendable () -> Void) {
        onEvent(.scheduled)
        queue.async {
            deliver()
            self.onEvent(.delivered)
        }
    }

    func perform(_ answer: ScriptedTransport.Answer) {
        switch answer {
        case .hold: break
        case .fail(let code): complete(code)
        case .respond(let status, let headers, let body):
            head(status, headers)
            if !body.isEmpty { content(body) }
            complete(nil)
        }
    }

    private var receiver: (any ExchangeReceiver)? { state.withLock { $0.receiver } }

    private func head(_ status: Int, _ headers: HTTPHeaders) {
        let head = ResponseHead(statusCode: status, headers: headers, url: exchange.url)
        if case .stop = receiver?.exchangeDidReceive(head: head) { complete(.cancelled) }
    }

    @discardableResult
    private func content(_ body: Data) -> ExchangeDisposition {
        guard let receiver else { return .stop }
        let disposition = body.withUnsafeBytes { receiver.exchangeDidReceive(body: $0) }
        if case .stop = disposition { complete(.cancelled) }
        return disposition
    }

    private func complete(_ error: URLError.Code?) {
        let receiver = state.withLock { state in
            defer { state.receiver = nil }
            return state.receiver
        }
        guard let receiver else { return }
        onEvent(.end)
        receiver.exchangeDidComplete(error: error.map { URLError($0) })
        onEvent(.completion)
    }
}
