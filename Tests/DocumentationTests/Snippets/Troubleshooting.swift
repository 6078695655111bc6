import Foundation
import NetworkQueueKit

enum TroubleshootingSnippets {
    static func start(_ requests: [NetworkRequest], in queue: NetworkQueue) {
        // snippet: go
        queue.add(contentsOf: requests)
        queue.go()
        // end
    }

    static func listen(to queue: NetworkQueue) async {
        // snippet: events
        let events = queue.events()
        queue.go()
        for await event in events {
            switch event {
            case .didFail(let operation, let error): print("\(operation.request.url.safeFileName): \(error)")
            case .queueDidFinish(let summary): print(summary)
            default: break
            }
        }
        // end
    }

    // snippet: defaultIsolation
    nonisolated struct Greeting: Decodable, Sendable {
        let text: String
    }

    nonisolated struct GreetingEndpoint: JSONEndpoint {
        typealias Value = Greeting
        let url: URL
    }

    @MainActor
    final class GreetingModel {
        private(set) var text = ""

        func load(_ endpoint: GreetingEndpoint, _ queue: RequestQueue) {
            queue.add(endpoint) { [weak self] result in
                let text = try? result.get().text
                Task { @MainActor in self?.text = text ?? "" }
            }
        }

        func loadAgain(_ endpoint: GreetingEndpoint, _ queue: RequestQueue) async throws {
            text = try await queue.send(endpoint).text
        }
    }
    // end

    // snippet: mainActor
    @MainActor
    final class Downloads: @MainActor NetworkQueueDelegate {
        private(set) var finishedCount = 0

        func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
            finishedCount += 1
        }
    }
    // end

    static func keepingCurrent(_ url: URL, _ file: URL) -> NetworkRequest {
        // snippet: keepIfCurrent
        let request = NetworkRequest.download(url, to: file, onConflict: .keepIfCurrent(otherwise: .overwrite))
        // end
        return request
    }

    static func keepAll(_ requestQueue: RequestQueue, _ networkQueue: NetworkQueue) {
        // snippet: cancellations
        requestQueue.allowsDuplicateRequests = true
        networkQueue.cancelsAllOnFailure = false
        // end
    }

    static func readPages(_ pages: [URL], with queue: NetworkQueue, index: (Data) -> Void) async {
        // snippet: typedThrows
        do {
            try await queue.run { () async throws(NetworkError) in
                for page in pages { index(try await queue.data(for: page)) }
            }
        } catch {
            print(error.code)
        }
        // end
    }

    static func authorizeRedirects(of operation: RequestOperation, token: String) {
        // snippet: redirect
        operation.redirectHandler = { next in
            guard next.url?.host() == "files.example.com" else { return next }
            var request = next
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            return request
        }
        // end
    }
}
