extension RequestOperation {
    /// Stops the operation until ``resume()``. Returns immediately; the status is ``Status/paused`` once it has
    /// stopped.
    ///
    /// The exchange under way ends with its connection (over HTTP/2, with its stream), and its slot is free for others;
    /// in an `OperationQueue`, Foundation's slot stays taken. A download into a file keeps its part and continues from
    /// there. Content received into memory and content being sent start over. A download into a sink, and content read
    /// as a stream, cannot be requested again: the exchange is held with its connection.
    ///
    /// A waiting operation is passed over until it is resumed. Its timeouts do not count meanwhile. It keeps its batch
    /// from draining. A response that has arrived completely is the result all the same, and a hook or a delegate that
    /// is being asked may still answer. A pause is not an attempt: ``attempts`` does not change. If the pause has
    /// ended an exchange, the attempt begins again afterwards: monitors, adapters, the authenticator and handlers are
    /// called again, and so is `didReceiveHeaders`.
    ///
    /// A queue without references cancels its operations if all of them are paused.
    public func pause() { pause(by: .own) }

    func pause(by pause: Pause) {
        guard notePause(by: pause) else { return }
        queue?.pause(self)
        followPause()
    }

    /// Continues a paused operation: it gets the next free slot, ahead of all that wait in its priority.
    ///
    /// Has no effect if the operation is not paused. An operation paused by ``NetworkQueue/pauseAll()`` can be resumed
    /// on its own; it starts when its queue is no longer suspended.
    public func resume() { resume(from: nil) }

    /// - Parameter pause: the kind of pause to end; `nil` for any.
    func resume(from pause: Pause?) {
        guard noteResume(of: pause) else { return }
        followPause()
        if let queue { queue.resume(self) } else { state.withLock { $0.run }?.resume() }
        Self.running.report()
    }

    /// Whether the operation is paused or about to be.
    var isPauseWanted: Bool { state.withLock { $0.pause != .none } }

    /// Whether ``pause()`` paused it, and not its queue.
    var isPausedSingly: Bool { state.withLock { $0.pause == .own } }

    /// Marks the operation as paused. May be called under the lock of its queue. Returns `false` if there is nothing
    /// else to do.
    func notePause(by pause: Pause) -> Bool {
        state.withLock { state in
            guard !state.status.isTerminal else { return false }
            guard state.pause == .none else {
                // Then `resumeAll()` does not resume it.
                if pause == .own { state.pause = .own }
                return false
            }
            state.pause = pause
            // Outside a queue there is no slot to give back.
            if !state.home.isQueue, state.status != .running { state.setStatus(.paused) }
            return true
        }
    }

    /// Removes the mark of a pause; returns `false` if there was none.
    ///
    /// - Parameter pause: the kind of pause to end; `nil` for any.
    func noteResume(of pause: Pause?) -> Bool {
        state.withLock { state in
            guard !state.status.isTerminal, state.pause != .none, pause == nil || pause == state.pause else {
                return false
            }
            state.pause = .none
            if !state.home.isQueue, state.status == .paused { state.setStatus(state.run == nil ? .waiting : .retrying) }
            return true
        }
    }

    /// Tells the run whether to pause. Checks again afterwards: two threads that pause and resume may reach the run in
    /// the opposite order.
    func followPause() {
        var told: Bool?
        while let (run, isWanted) = state.withLock({ state in state.run.map { ($0, state.pause != .none) } }),
            told != isWanted
        {
            if isWanted { run.pause() } else { run.unpause() }
            told = isWanted
        }
        Self.running.report()
    }

    /// Called when the run has stopped and needs no slot.
    func notePause() {
        endStandalone()
        let goesOn = state.withLock { state -> RequestRun? in
            guard !state.status.isTerminal else { return nil }
            state.setStatus(.paused)
            // Unless it has been resumed meanwhile.
            guard !state.home.isQueue, state.pause == .none else { return nil }
            state.setStatus(.retrying)
            return state.run
        }
        queue?.operation(self, did: .paused)
        Self.running.report()
        goesOn?.resume()
    }

    /// Records a new status, such as `.paused`. Called under the lock of its queue.
    func noteStatus(_ status: Status) {
        state.withLock { if !$0.status.isTerminal { $0.setStatus(status) } }
    }
}
