extension Batch {
    /// The rate of the queue bounds the time that is left.
    mutating func settingsDidChange() { ledger.requestRate = core.rates.rate }
}
