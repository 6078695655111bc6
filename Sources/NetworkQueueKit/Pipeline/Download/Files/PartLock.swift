import Foundation

/// The lock by which one download keeps a part from all others, in this process or another; it ends with the process.
///
/// Some file systems have no such locks: Lustre (`ENOSYS`), and NFS whose lock service is not running (`ENOLCK`). On these alone the time
/// of the last modification stands for it: a part that has been written to within `idleTime` belongs to a download that is running.
struct PartLock: Sendable {
    enum State {
        case taken
        /// Another download has it.
        case busy
        /// The file system has no locks.
        case missing
    }

    /// How long a part of a running download may stay unwritten: twice the default idle timeout of a transport.
    static let idleTime = 120

    /// Takes the lock of an open file without waiting for it; returns 0, or why it failed, as in `errno`. Tests replace it.
    var call: @Sendable (_ descriptor: Int32) -> Int32

    /// What the system has.
    static let system = PartLock { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno }

    func take(_ descriptor: Int32) -> State {
        switch call(descriptor) {
        case 0: .taken
        case ENOSYS, ENOLCK, ENOTSUP, EOPNOTSUPP, EINVAL: .missing
        default: .busy
        }
    }

    /// Whether no download that runs can be writing to a file without locks.
    ///
    /// The clocks of the machines that share the folder must agree to within a minute.
    static func isIdle(_ status: stat) -> Bool { time(nil) - status.modificationSeconds >= idleTime }
}
