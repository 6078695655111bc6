import Foundation

/// The lock with which a download keeps its part from all others, in this process or another. It ends with the process.
///
/// Some file systems have no such locks: Lustre (`ENOSYS`), and NFS without its lock service (`ENOLCK`). Only there the
/// modification date replaces it: a part that was written within `idleTime` belongs to a running download.
///
/// iOS terminates a suspended app that holds such a lock in an app group's container (0xdead10cc). A paused download
/// holds none.
struct PartLock: Sendable {
    enum State {
        case taken
        /// Another download has it.
        case busy
        /// The file system has no locks.
        case missing
    }

    /// How many seconds a running download may leave its part unwritten: twice a transport's default idle timeout.
    static let idleTime = 120

    /// Takes the lock of an open file without waiting; returns 0 or an `errno` code. Tests replace it.
    var call: @Sendable (_ descriptor: Int32) -> Int32

    /// The lock of the operating system.
    static let system = PartLock { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno }

    func take(_ descriptor: Int32) -> State {
        switch call(descriptor) {
        case 0: .taken
        case ENOSYS, ENOLCK, ENOTSUP, EOPNOTSUPP, EINVAL: .missing
        default: .busy
        }
    }

    /// Whether no running download can be writing to a file without locks.
    ///
    /// The clocks of all machines that share the folder must agree within a minute.
    static func isIdle(_ status: stat) -> Bool { time(nil) - status.modificationSeconds >= idleTime }
}

/// Tracks which runs of this process may have which parts. A download waits for a canceled run to close its part, and
/// then resumes that part.
final class PartHolders: Sendable {
    static let shared = PartHolders()

    private struct Place {
        var runs: [RequestID: RequestRun] = [:]
        var waiters: [@Sendable () -> Void] = []

        var isBeingLeft: Bool { runs.values.contains { $0.isCancelled } }
    }

    /// Keyed by the paths of the destinations.
    private let places = Guarded<[ByteText: Place]>([:])

    /// Notes that a run has started and may open the part.
    func enter(_ path: String, _ run: RequestRun) {
        places.withLock { $0[ByteText(path), default: Place()].runs[run.id] = run }
    }

    /// Notes that a run has ended and closed its part.
    func leave(_ path: String, _ run: RequestRun) {
        let path = ByteText(path)
        let (_, waiters) = places.withLock { places -> (RequestRun?, [@Sendable () -> Void]) in
            // Released outside the lock, because the run may hold the last reference to an object of the user's.
            let run = places[path]?.runs.removeValue(forKey: run.id)
            guard let place = places[path], !place.isBeingLeft else { return (run, []) }
            if place.runs.isEmpty { places[path] = nil } else { places[path]?.waiters = [] }
            return (run, place.waiters)
        }
        for waiter in waiters { waiter() }
    }

    /// Whether a canceled run still has the part.
    func isBeingLeft(_ path: String) -> Bool { places.withLock { $0[ByteText(path)]?.isBeingLeft == true } }

    /// Calls `body` once no canceled run has the part, possibly at once.
    func whenLeft(_ path: String, _ body: @escaping @Sendable () -> Void) {
        let path = ByteText(path)
        let mustWait = places.withLock { places in
            guard places[path]?.isBeingLeft == true else { return false }
            places[path]?.waiters.append(body)
            return true
        }
        if !mustWait { body() }
    }
}

extension NetworkRequest {
    /// The destination whose part the request resumes and leaves; `nil` if it uses no part or the response names the
    /// file.
    var partPath: String? {
        guard case .file(let url, onConflict: _, resumes: true) = destination, method == "GET", !usesSuggestedFileName
        else { return nil }
        return url.path(percentEncoded: false)
    }
}
