/// What a batch keeps about a request in the request's operation, so that nothing has to be looked up. Belongs to the queue's lock.
struct BatchEntry {
    /// The batch's generation when the request was added; a reset begins a new one.
    let generation: Int
    /// How many failures had cancelled the rest when the request was added.
    let epoch: Int
    var account: ProgressLedger.Account
    /// Whether the body of its failure goes once the failure has been told of.
    var dropsBody = false
}
