import Foundation
import NetworkQueueKit

enum LifeOfARequestSnippets {
    /// Stands for a logger of the reader's.
    struct Logger: Sendable {
        func info(_ message: String) {}
    }

    static func watch(_ queue: NetworkQueue, logger: Logger) {
        // snippet: monitors
        queue.monitors = [EventLogger { line in logger.info("\(line)") }]
        // end
    }
}
