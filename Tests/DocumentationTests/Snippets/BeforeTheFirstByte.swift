import NetworkQueueKit

enum BeforeTheFirstByteSnippets {
    static func ask(_ queue: NetworkQueue, confirm: @escaping @Sendable (String) async -> Bool) {
        // snippet: ask
        queue.planHandler = { plan in
            var question = "Download \(plan.requestCount) files, \(plan.knownBytes - plan.presentBytes) bytes"
            if plan.unknownSizeCount > 0 { question += " and \(plan.unknownSizeCount) files of unknown size" }
            return await confirm(question + "?") ? .start : .cancel
        }
        // end
    }

    static func space(_ queue: NetworkQueue, print: (String) -> Void) async {
        // snippet: space
        queue.requiresSpace = true
        let summary = await queue.run()
        if let error = summary.firstFailure?.error, let space = error.space {
            print("\(space.path) lacks \(space.needed - space.free) bytes")
        }
        // end
    }
}
