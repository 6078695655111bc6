import Foundation
import NetworkQueueKit
import Observation

enum ApplePlatformsSnippets {
    // snippet: model
    @MainActor @Observable
    final class DownloadModel {
        private(set) var fractionCompleted = 0.0
        private(set) var failures: [String] = []
        private(set) var isRunning = false
        private let queue = NetworkQueue()

        func download(_ files: [URL], into folder: URL) async {
            failures = []
            isRunning = true
            queue.cancelsAllOnFailure = false
            for file in files {
                queue.add(.download(file, to: folder.appending(component: file.safeFileName)))
            }
            let events = queue.events()
            queue.go()
            for await event in events {
                switch event {
                case .didUpdate(let progress): fractionCompleted = progress.fractionCompleted
                case .didFail(let operation, let error):
                    failures.append("\(operation.request.url.safeFileName): \(error)")
                default: break
                }
            }
            isRunning = false
        }

        /// For an app that is suspended: no traffic is left, and no file stays open.
        func pause() { queue.pauseAll() }
        func resume() { queue.resumeAll() }
    }
    // end
}
