import Foundation
import NetworkQueueKit

enum GettingStartedSnippets {
    static func batch(_ list: [String], into folder: URL) async -> NetworkQueue.Summary {
        // snippet: batch
        func download(_ list: [String], into folder: URL) async -> NetworkQueue.Summary {
            let queue = NetworkQueue()
            queue.cancelsAllOnFailure = false
            queue.retryPolicy = .standard
            for url in list.compactMap({ URL(webAddress: $0) }) {
                let file = folder.appending(component: url.safeFileName)
                queue.add(.download(url, to: file, onConflict: .keepIfCurrent(otherwise: .overwrite)))
            }
            return await queue.run()
        }
        // end
        return await download(list, into: folder)
    }

    static func report(_ summary: NetworkQueue.Summary) {
        // snippet: summary
        print("\(summary.counts.finished) of \(summary.counts.total) files in \(summary.duration)")
        for failure in summary.failures {
            print("\(failure.operation.request.url): \(failure.error)")
        }
        // end
    }

    struct Note: Decodable {
        let text: String
    }

    static func value(of url: URL) async throws -> [Note] {
        // snippet: value
        let queue = RequestQueue()
        let notes = try await queue.value(of: [Note].self, for: url)
        // end
        return notes
    }

    static func handler(_ url: URL) -> RequestQueue {
        // snippet: handler
        let queue = RequestQueue()
        queue.add(url) { head, data, error in
            if let error {
                print(error)
            } else {
                print("\(data?.count ?? 0) bytes, status \(head?.statusCode ?? 0)")
            }
        }
        // end
        return queue
    }

    static func requests(_ url: URL, _ folder: URL) -> [NetworkRequest] {
        // snippet: request
        let page = NetworkRequest.get(
            url, headers: ["Accept": "application/json"], query: [URLQueryItem(name: "q", value: "a&b")])
        let note = NetworkRequest.post(url, body: .urlEncodedForm(["text": "milk"]))
        var file = NetworkRequest.download(url, to: folder.appending(component: "notes.pdf"))
        file.priority = .low
        // end
        return [page, note, file]
    }

    static func operation(_ url: URL) -> OperationQueue {
        // snippet: operation
        let operation = RequestOperation(.get(url))
        operation.completionHandler = { _, data, error in print(data?.count ?? 0, error as Any) }
        let queue = OperationQueue()
        queue.addOperation(operation)
        // end
        return queue
    }
}
