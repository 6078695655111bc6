import Foundation
import NetworkQueueKit

enum OwnPartsSnippets {
    static func numberAttempts(in queue: RequestQueue) {
        // snippet: adapter
        queue.adapters = [
            .adapter { request, context in
                var request = request
                request.setValue("\(context.attempt)", forHTTPHeaderField: "X-Attempt")
                return request
            }
        ]
        // end
    }
}
