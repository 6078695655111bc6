import Foundation
import NetworkQueueKit

enum GroupsSnippets {
    struct Album {
        let name: String
        let tracks: [URL]
    }

    static func add(_ albums: [Album], to queue: NetworkQueue, in folder: URL) {
        // snippet: add
        for album in albums {
            let requests = album.tracks.map {
                NetworkRequest.download($0, to: folder.appending(component: $0.safeFileName))
            }
            queue.group(album.name).add(contentsOf: requests)
        }
        queue.go()
        // end
    }

    static func show(_ queue: NetworkQueue, print: (String) -> Void) {
        // snippet: show
        for group in queue.groups {
            let progress = group.progress
            print("\(group.name): \(progress.counts.finished) of \(progress.counts.total)")
        }
        // end
    }

    final class Delegate: NetworkQueueDelegate {
        let print: @Sendable (String) -> Void

        init(print: @escaping @Sendable (String) -> Void) { self.print = print }

        // snippet: groupDidFinish
        func networkQueue(
            _ queue: NetworkQueue, groupDidFinish group: NetworkQueue.Group, summary: NetworkQueue.Summary
        ) {
            print("\(group.name): \(summary.counts.finished) files, \(summary.bytesReceived) bytes")
        }
        // end
    }
}
