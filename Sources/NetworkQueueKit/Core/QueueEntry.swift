/// What a queue keeps about one of its elements in the element itself, so that nothing has to be looked up. Belongs to the
/// queue's lock.
struct QueueEntry {
    /// Where the element stands in the scheduler.
    var ticket: SlotKey?
    /// Whether the search for duplicates leaves it out, as a new request and as an earlier one. Set before it is in the queue.
    var isExemptFromDuplicates = false
    /// When the element was added, by the queue's clock.
    var addTime = Duration.zero
    /// What duplicates are looked for with, once it has been worked out.
    var equivalenceHash: UInt32?
}
