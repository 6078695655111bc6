import Dispatch
import Foundation

/// Holds a serial queue for each cookie storage, on which cookies are stored in it.
///
/// For each cookie, Foundation on Linux rewrites the storage's whole file. This must block neither a transport's thread
/// nor requests that use another storage.
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
