/// Limits how fast the content of exchanges moves, in both directions together. An object, as those that share the limit share
/// it.
///
/// Each exchange pays for what it has moved and gets a mark in return: the number of bytes that have to be allowed in all
/// before it may move more. So an exchange that has moved something is queued behind those that have done so before, and a
/// change of the limit moves the whole queue.
///
///     mark = charge(0)                         at the start, and where it was negative
///     wait while delay(until: mark) > 0        before each portion, in either direction
///     mark = charge(count)                     after it
public protocol ExchangePacer: AnyObject, Sendable {
    /// How many bytes to move at a time, at most, so that the exchanges take short turns.
    var portion: Int { get }
    /// Notes bytes that were moved and returns the mark to wait for before anything more is.
    ///
    /// A negative one means that there is no limit. It has to be asked for again before the next portion: there may be one by
    /// then, and all running exchanges are queued for it.
    func charge(_ byteCount: Int) -> Int64
    /// How long to wait before asking again; zero when the mark has been reached.
    func delay(until mark: Int64) -> Duration
}
