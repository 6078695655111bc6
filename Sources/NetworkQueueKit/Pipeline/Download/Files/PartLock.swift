import Foundation

/// The lock by which one download keeps a part from all others, in this process or another; it ends with the process.
///
/// Some file systems have no such locks: Lustre (`ENOSYS`), and NFS whose lock service is not running (`ENOLCK`). On
/// these alone the time of the last modification stands for it: a part that has been written to within `idleTime`
/// belongs to a download that is running.
///
/// iOS ends a suspended app that holds such a lock in the container of an app group (0xdead10cc). A download that is
/// paused holds none.
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

    /// Takes the lock of an open file without waiting for it; returns 0, or why it failed, as in `errno`. Tests replace
    /// it.
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

/// Which runs of this process may have which parts: a download whose part another one is about to close waits for that,
/// and resumes it.
final class PartHolders: Sendable {
    static let shared = PartHolders()

    private struct Place {
        var runs: [RequestID: RequestRun] = [:]
        var waiters: [@Sendable () -> Void] = []

        var isBeingLeft: Bool { runs.values.contains { $0.isCancelled } }
    }

    /// By the destinations' paths.
    private let places = Guarded<[String: Place]>([:])

    /// Notes that a run has begun that may open the part.
    func enter(_ path: String, _ run: RequestRun) {
        places.withLock { $0[path, default: Place()].runs[run.id] = run }
    }

    /// Notes that a run has ended and has closed its part.
    func leave(_ path: String, _ run: RequestRun) {
        let (_, waiters) = places.withLock { places -> (RequestRun?, [@Sendable () -> Void]) in
            // Released outside the lock, as the run may be the last to hold what is the user's.
            let run = places[path]?.runs.removeValue(forKey: run.id)
            guard let place = places[path], !place.isBeingLeft else { return (run, []) }
            if place.runs.isEmpty { places[path] = nil } else { places[path]?.waiters = [] }
            return (run, place.waiters)
        }
        for waiter in waiters { waiter() }
    }

    /// Whether a run that has been cancelled still has the part.
    func isBeingLeft(_ path: String) -> Bool { places.withLock { $0[path]?.isBeingLeft == true } }

    /// Calls `body` when no run has the part that has been cancelled, which may be at once.
    func whenLeft(_ path: String, _ body: @escaping @Sendable () -> Void) {
        let mustWait = places.withLock { places in
            guard places[path]?.isBeingLeft == true else { return false }
            places[path]?.waiters.append(body)
            return true
        }
        if !mustWait { body() }
    }
}

extension NetworkRequest {
    /// The path of the file whose part the request resumes and leaves; `nil` where there is none, or the response names
    /// the file.
    var partPath: String? {
        guard case .file(let url, onConflict: _, resumes: true) = destination, method == "GET", !usesSuggestedFileName
        else { return nil }
        return url.path(percentEncoded: false)
    }
}
