extension NetworkQueue {
    /// Which batch an operation belongs to. Written once, before the operation is shared; so it can be read without a lock.
    struct Membership {
        /// The queue's generation when the operation was added; `reset()` begins a new one.
        let generation: Int
        /// How many failures had cancelled the rest when the operation was added.
        let epoch: Int
    }

    /// What a queue keeps about an operation, in the operation itself, so that nothing has to be looked up. Belongs to the
    /// queue's lock.
    struct Record {
        var account: ProgressLedger.Account
        /// Whether the operation's failure is to cancel all others.
        var isCulprit = false
    }
}
