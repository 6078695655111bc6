/// A host whose waiting requests are blocked for a time.
struct HostBlock {
    /// On the queue's clock.
    let end: Duration
    var timer: (any ScheduledCall)?
}
