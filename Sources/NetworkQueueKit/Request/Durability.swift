/// When a queue flushes the files that it has downloaded to the disk, so that they survive a power cut.
///
/// A file gets its name when it is complete. So the end of the process, however sudden, leaves no partial content under
/// that name, whatever the durability. A power cut can also take what the system has not written to the disk yet: a
/// small file that was stored shortly before is then missing, or empty, or has only a part of its content.
///
/// | | Files over 1 MiB, and those of unknown size | Smaller files |
/// |---|---|---|
/// | `.atEnd` | before they get their name | by the time the end of the run is reported |
/// | `.eachFile` | before they get their name | before they get their name |
/// | `.never` | – | – |
///
/// To flush each of 10,000 small files takes several times as long as to download them; to flush them together takes a
/// fraction of a second.
public enum Durability: Sendable, Hashable {
    /// Flushes small files together: in a ``NetworkQueue`` before the drain is reported, in a ``RequestQueue`` when it
    /// is empty or after five seconds. The default.
    ///
    /// A file may not be on the disk yet when its operation finishes. Use ``eachFile`` if you act on that, for instance
    /// by forgetting a record of the request.
    case atEnd
    /// Flushes each file and its folder's entry before its operation finishes. A failure fails the operation.
    case eachFile
    /// Leaves it to the system when files are written to the disk, which usually happens within half a minute.
    case never
}
