import Dispatch
import Foundation

/// For each cookie storage, the serial queue on which cookies are stored in it.
///
/// Foundation on Linux writes its whole file anew for each cookie, which must keep neither a transport's thread from
/// its work nor the requests of other storages.
enum CookieQueues {
    private struct Entry: Sendable {
        weak var storage: HTTPCookieStorage?
        let queue: DispatchQueue
    }

    private static let entries = Guarded<[ObjectIdentifier: Entry]>([:])

    static func queue(for storage: HTTPCookieStorage) -> DispatchQueue {
        entries.withLock { entries in
            let id = ObjectIdentifier(storage)
            if let entry = entries[id], entry.storage === storage { return entry.queue }
            entries = entries.filter { $0.value.storage != nil }
            let queue = DispatchQueue(label: "NetworkQueueKit.cookies")
            entries[id] = Entry(storage: storage, queue: queue)
            return queue
        }
    }
}
