/// Which batch a request belongs to. Written once, before the request is shared; so it can be read without a lock.
struct BatchMembership {
    // Every request that waits has one of these, so it is small.
    private let shortGeneration: UInt32
    private let shortEpoch: UInt32

    init(generation: Int, epoch: Int) {
        shortGeneration = UInt32(truncatingIfNeeded: generation)
        shortEpoch = UInt32(truncatingIfNeeded: epoch)
    }

    /// The batch queue's generation when the request was added; a reset begins a new one.
    var generation: Int { Int(shortGeneration) }
    /// How many failures had cancelled the rest when the request was added.
    var epoch: Int { Int(shortEpoch) }
}

/// What a batch queue keeps about a request in the request's operation, so that nothing has to be looked up. Belongs to the
/// queue's lock.
struct BatchEntry {
    var account: ProgressLedger.Account
    /// Whether the request's failure is to cancel all others.
    var isCulprit = false
    /// Whether the page of its failure goes once the failure has been told of.
    var losesPage = false
}
