/// Which batch a request belongs to. Written once, before the request is shared; so it can be read without a lock.
struct BatchMembership {
    /// The batch queue's generation when the request was added; a reset begins a new one.
    let generation: Int
    /// How many failures had cancelled the rest when the request was added.
    let epoch: Int
}

/// What a batch queue keeps about a request in the request's operation, so that nothing has to be looked up. Belongs to the
/// queue's lock.
struct BatchEntry {
    var account: ProgressLedger.Account
    /// Whether the request's failure is to cancel all others.
    var isCulprit = false
}
