import Foundation

/// Starts exchanges.
extension RequestRun {
    /// Starts the first or a later exchange of an attempt.
    ///
    /// - Parameter hasTurn: whether the exchange has waited for its turn, which has come.
    func perform(_ exchange: HTTPExchange, hasTurn: Bool = false) {
        attempt.exchange = exchange
        if environment.hasMonitors {
            let shown = hidden(exchange)
            attempt.context?.note(sent: shown)
        }
        attempt.response = .none
        // Content sent before a redirect still counts if the redirect drops it.
        if exchange.body != nil { attempt.bytesSent = 0 }
        var outgoing = exchange
        authentication.authorize(&outgoing, with: environment.credentials)
        environment.defaults.cookieStorage?.addCookies(to: &outgoing)
        do {
            try outgoing.checkSendable()
        } catch {
            return fail(AttemptFailure(error: NetworkError(error)))
        }
        // Only in `outgoing`: `attempt.exchange` still shows whether the request asked for codings.
        outgoing.declineCodings()
        switch handle(.beginExchange) {
        case .send(let number):
            if !hasTurn, environment.rateSwitch.isOn.load(ordering: .relaxed), mustWait(exchange, number) { return }
            start(outgoing, number: number)
        case .interrupt(let interruption): interrupt(interruption)
        case .pause: setAside()
        default: break
        }
    }

    private func start(_ exchange: HTTPExchange, number: Int) {
        if attempt.stage != .sent {
            attempt.stage = .sent
            sentCount += 1
        }
        attempt.exchangeMetrics = nil
        // The exchange may have ended, and the next one started, before its handle arrives.
        resumer?.reset(forExchange: number)
        let handle = environment.transport.start(exchange, receiver: self)
        resumer?.attach(handle, ofExchange: number)
        // Apply a cancellation that came before there was a handle.
        if case .cancel(let handle) = self.handle(.exchangeStarted(number: number, handle)) { handle.cancel() }
    }

    /// Whether the exchange must wait for its turn by the rates of the queue. It keeps the slot meanwhile. Afterwards the
    /// run is confined to the thread on which the turn comes.
    private func mustWait(_ exchange: HTTPExchange, _ number: Int) -> Bool {
        let turn = ExchangeStandIn { [self] error in
            speedWatch?.set(.turn, false)
            guard error == nil else { return complete(error) }
            switch handle(.exchangeEnded(storesContent: false, isCut: false)) {
            case .proceed: perform(exchange, hasTurn: true)
            case .interrupt(let interruption): interrupt(interruption, head: abandonResponse())
            default: break
            }
        }
        speedWatch?.set(.turn, true)
        let host = exchange.url.host()?.lowercased()
        if delegate.mayStartExchange(with: host, orLater: { turn.end(nil) }) {
            speedWatch?.set(.turn, false)
            return false
        }
        if case .cancel(let handle) = handle(.exchangeStarted(number: number, turn)) { handle.cancel() }
        return true
    }

    /// Lets others have the start of an exchange that came with the slot, because the run may not need it soon.
    func releaseStart() {
        if environment.rateSwitch.isOn.load(ordering: .relaxed) { delegate.releaseStart() }
    }
}

/// Stands in for an exchange while a run waits with its slot: for helpers, or for its turn by a rate. So the machine
/// sees an exchange, which a cancellation or a pause ends.
final class ExchangeStandIn: ExchangeHandle {
    private let report: Guarded<(@Sendable (URLError?) -> Void)?>

    init(_ report: @escaping @Sendable (URLError?) -> Void) {
        self.report = Guarded(report)
    }

    func cancel() { end(URLError(.cancelled)) }

    func end(_ error: URLError?) {
        report.withLock { $0.take() }?(error)
    }
}
