import Foundation
import NetworkQueueKit

enum PauseAndRelaunchSnippets {
    static func pause(_ operation: RequestOperation, _ queue: NetworkQueue) {
        // snippet: pause
        operation.pause()  // one operation
        operation.resume()
        queue.pauseAll()  // everything: no traffic is left
        queue.resumeAll()
        // end
    }

    static func background(_ queue: NetworkQueue) async {
        // snippet: background
        queue.pauseAll()
        await queue.waitUntilPaused()
        // end
    }

    static func save(_ queue: NetworkQueue, to file: URL) throws {
        // snippet: save
        let records = queue.unfinishedRecords
        try JSONEncoder().encode(records).write(to: file, options: .atomic)
        // end
    }

    static func restore(_ queue: NetworkQueue, from file: URL) throws {
        // snippet: restore
        let records = try JSONDecoder().decode([NetworkRequest.Record].self, from: Data(contentsOf: file))
        queue.add(contentsOf: records)
        queue.go()
        // end
    }

    static func complete(_ records: [NetworkRequest.Record], _ credential: URLCredential, _ queue: NetworkQueue) {
        // snippet: omissions
        for record in records {
            var request = NetworkRequest(record)
            if record.omissions.contains("credential") { request.credential = credential }
            let operation = queue.add(request)
            if record.isPaused { operation.pause() }
        }
        // end
    }
}
