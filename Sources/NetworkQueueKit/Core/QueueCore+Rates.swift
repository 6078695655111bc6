/// Limits how many exchanges start in a time.
///
/// An element gets a slot only if an exchange may start, and the start is reserved for it. An exchange that begins later,
/// such as that of a redirect, may have to wait for its turn, which precedes that of every element without a slot.
extension QueueCore {
    /// An exchange of an element that has a slot, which waits for its turn.
    struct Turn: Sendable {
        fileprivate let element: Element.ID
        fileprivate let host: String?
        /// Starts the exchange. Called outside the queue's lock.
        let begin: @Sendable () -> Void
    }

    /// Changes the limits. Waiting elements and exchanges may start at the next ``takeTurns(now:)``.
    mutating func setRates(_ rate: RequestRate?, perHost ratePerHost: RequestRate?) {
        rates.set(rate, perHost: ratePerHost)
        applyRates()
    }

    /// Whether slots or turns depend on ``rates``.
    var followsRates: Bool { rates.isInUse || !turns.isEmpty }

    /// Opens what the limits allow at `now`, and returns the exchanges whose turn has come. Call it before slots are
    /// given.
    mutating func takeTurns(now: Duration) -> [Turn] {
        rates.advance(to: now)
        defer { applyRates() }
        guard !turns.isEmpty, rates.mayStart else { return [] }
        // Few, because each has a slot.
        var taken: [Turn] = []
        turns.removeAll { turn in
            guard rates.start(turn.host, now: now) else { return false }
            taken.append(turn)
            return true
        }
        return taken
    }

    /// Notes the start of an exchange of an element that has a slot, if the limits allow that; otherwise the exchange
    /// waits for its turn. Returns whether it may start.
    mutating func start(
        _ element: Element, host: String?, now: Duration, orLater begin: @escaping @Sendable () -> Void
    ) -> Bool {
        releaseStart(of: element)
        guard rates.isInUse else { return true }
        rates.advance(to: now)
        defer { applyRates() }
        // An element that has left the queue is about to end its run.
        if rates.start(host, now: now) || !contains(element) { return true }
        turns.append(Turn(element: element.id, host: host, begin: begin))
        return false
    }

    /// Reserves the start of an exchange for an element that has got a slot.
    mutating func reserveStart(for element: Element, now: Duration) {
        guard rates.isInUse else { return }
        releaseStart(of: element)
        element.queueEntry.reservation = rates.reserve(for: scheduler.hostOf(element), now: now)
        applyRates()
    }

    /// Releases the start that is reserved for an element, if there is one.
    mutating func releaseStart(of element: Element) {
        if case .none = element.queueEntry.reservation { return }
        rates.release(element.queueEntry.reservation)
        element.queueEntry.reservation = .none
        applyRates()
    }

    /// Forgets the start and the turn of an element that loses its slot.
    mutating func forgetStart(of element: Element) {
        releaseStart(of: element)
        if !turns.isEmpty { turns.removeAll { $0.element == element.id } }
    }

    private mutating func applyRates() {
        scheduler.isOutOfRate = !rates.mayStart
        for (host, isClosed) in rates.takeChanges() {
            if isClosed { scheduler.holdHost(host) } else if !isHeld(host) { scheduler.releaseHost(host) }
        }
    }
}
