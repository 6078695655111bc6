/// A host whose waiting requests are held back for a time.
struct HostHold {
    /// On the queue's clock.
    let end: Duration
    var timer: (any ScheduledCall)?
}
