import Dispatch
import Foundation
import NetworkQueueKit

/// One exchange of a ``ScriptedTransport``, in the test's hands. Events reach the receiver one after the other.
public final class ScriptedExchange: ExchangeHandle {
    /// What the transport counts.
    enum Event {
        case cancellation
        /// It is about to complete.
        case end
        /// Its receiver has taken the completion.
        case completion
        /// Its receiver is ready for more.
        case resumption
    }

    /// What was to be sent.
    public let exchange: HTTPExchange
    let queue = DispatchQueue(label: "ScriptedExchange")
    private let obeysCancellation: Bool
    private let onEvent: @Sendable (Event) -> Void
    private let state: Guarded<State>

    private struct State {
        /// `nil` when the exchange is over: a transport does not hold on to what it has served.
        var receiver: (any ExchangeReceiver)?
        var isCancelled = false
    }

    init(
        _ exchange: HTTPExchange, receiver: any ExchangeReceiver, obeysCancellation: Bool,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.exchange = exchange
        state = Guarded(State(receiver: receiver))
        self.obeysCancellation = obeysCancellation
        self.onEvent = onEvent
    }

    /// Whether `cancel()` was called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether the exchange has completed.
    public var isOver: Bool { receiver == nil }

    /// The path that was asked for.
    public var path: String { exchange.url.path() }

    /// Delivers the head of a response and waits until it has been taken.
    public func receive(status: Int = 200, headers: HTTPHeaders = [:]) {
        queue.sync { head(status, headers) }
    }

    /// Delivers content, waits until it has been taken, and returns what the receiver has answered.
    @discardableResult
    public func receive(_ body: Data) -> ExchangeDisposition {
        queue.sync { content(body) }
    }

    /// Reports bytes as sent and waits until that has been taken.
    public func send(_ totalBytes: Int64) {
        queue.sync { receiver?.exchangeDidSend(totalBytes: totalBytes) }
    }

    /// Reports what the exchange is to have taken, as transports do just before its end.
    public func report(_ metrics: ExchangeMetrics) {
        queue.sync { receiver?.exchange(didCollect: metrics) }
    }

    /// Ends the exchange, `nil` meaning that the response is whole, and waits until that has been taken.
    public func end(_ error: URLError.Code? = nil) {
        queue.sync { complete(error) }
    }

    /// Gives a whole answer and waits until it has been taken.
    public func answer(_ answer: ScriptedTransport.Answer) {
        queue.sync { perform(answer) }
    }

    /// Counts the call, for ``ScriptedTransport/wait(until:)``: the receiver takes content again.
    public func resume() { onEvent(.resumption) }

    /// Notes the cancellation and completes the exchange with `URLError.cancelled`, unless its transport was made not
    /// to.
    public func cancel() {
        let isFirst = state.withLock { state in
            defer { state.isCancelled = true }
            return !state.isCancelled
        }
        if isFirst { onEvent(.cancellation) }
        if obeysCancellation { queue.async { self.complete(.cancelled) } }
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
