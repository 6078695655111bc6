/// Pause and resume.
extension RequestOperation {
    /// Stops the operation until ``resume()``. Returns at once; the status is ``Status/paused`` when it has stopped.
    ///
    /// The exchange under way ends with its connection (over HTTP/2, with its stream), and the slot is free for others;
    /// in an `OperationQueue` the slot of Foundation stays taken. A download into a file leaves its part and goes on
    /// from there. Content that goes to memory and content that is sent start over. A download into a sink, and content
    /// that is read as it comes, cannot be asked for again: there the exchange is held with its connection.
    ///
    /// An operation that waits is passed over until it is resumed. Its timeouts do not count meanwhile. It keeps its
    /// batch from draining. A response that has come whole is the result all the same, and a hook or a delegate that is
    /// being asked may answer. A pause is no attempt: ``attempts`` stays, and nothing is called but the queue's event
    /// and, when a response comes after the pause, `didReceiveHeaders` once more.
    ///
    /// A queue to which nothing refers any more cancels its operations when they are all paused.
    public func pause() {
        guard notePause(by: .own) else { return }
        queue?.pause(self)
        followPause()
    }

    /// Lets a paused operation go on: it gets the next free slot, before everything that waits in its priority.
    ///
    /// Does nothing if the operation is not paused. One that ``NetworkQueue/pauseAll()`` has paused can be resumed alone,
    /// and starts when its queue is not suspended any more.
    public func resume() {
        guard noteResume(of: nil) else { return }
        followPause()
        if let queue { queue.resume(self) } else { state.withLock { $0.run }?.resume() }
        Self.running.report()
    }

    /// Whether the operation is to be paused, or is.
    var isPauseWanted: Bool { state.withLock { $0.pause != .none } }

    /// Whether that is so by ``pause()``, and not by its queue.
    var isPausedSingly: Bool { state.withLock { $0.pause == .own } }

    /// Notes, maybe under the lock of its queue, that the operation is to be paused; returns `false` if nothing follows from that.
    func notePause(by pause: Pause) -> Bool {
        state.withLock { state in
            guard !state.status.isTerminal else { return false }
            guard state.pause == .none else {
                // It is not resumed with all then.
                if pause == .own { state.pause = .own }
                return false
            }
            state.pause = pause
            // In no queue there is no slot to be given back.
            if !state.home.isQueue, state.status != .running { state.setStatus(.paused) }
            return true
        }
    }

    /// Notes that the operation is not to be paused any more; returns `false` if it was not.
    ///
    /// - Parameter pause: who must have paused it; `nil` for anyone.
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

    /// Tells the run whether the operation is to be paused. Asks once more afterwards: two threads that pause and resume
    /// may come to the run in the other order.
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

    /// The run has stopped, and needs no slot.
    func notePause() {
        countStandalone(false)
        let goesOn = state.withLock { state -> RequestRun? in
            guard !state.status.isTerminal else { return nil }
            state.setStatus(.paused)
            // It has been resumed meanwhile.
            guard !state.home.isQueue, state.pause == .none else { return nil }
            state.setStatus(.retrying)
            return state.run
        }
        queue?.operation(self, did: .paused)
        Self.running.report()
        goesOn?.resume()
    }

    /// Notes, under the lock of its queue, that it is paused or, with another status, is not any more.
    func noteStatus(_ status: Status) {
        state.withLock { if !$0.status.isTerminal { $0.setStatus(status) } }
    }
}
