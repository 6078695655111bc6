import Foundation
import NetworkQueueKit

/// Downloads files into a folder. However it ended, it continues its downloads when it is started again.
actor DownloadManager {
    private let folder: URL
    private let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "downloads"))
    /// The list of unfinished downloads, saved for the next start.
    private var savedList: URL { folder.appending(component: "downloads.json") }

    init(folder: URL) {
        self.folder = folder
        queue.maxConcurrentRequestCount = 2
        queue.cancelsAllOnFailure = false
        queue.retryPolicy = RetryPolicy(maxRetries: 5)
        // The saved list leaves out a download as soon as it has finished.
        queue.durability = .eachFile
    }

    /// Performs the commands from the standard input until it ends.
    func run() async throws {
        if let data = try? Data(contentsOf: savedList) {
            queue.add(contentsOf: try JSONDecoder().decode([NetworkRequest.Record].self, from: data))
        }
        Task { [events = queue.events(acrossRuns: true)] in for await event in events { try follow(event) } }
        queue.go()
        say("\(queue.requestCount) downloads from before")
        let commands = AsyncStream { lines in
            Thread.detachNewThread {
                while let line = readLine() { lines.yield(line) }
                lines.finish()
            }
        }
        for await command in commands { try await perform(command) }
    }

    private func follow(_ event: NetworkQueue.Event) throws {
        switch event {
        case .didPause(let operation), .didResume(let operation), .didFinish(let operation):
            say("\(name(operation)) \(operation.status)")
        case .didFail(let operation, let error): say("\(name(operation)): \(error.localizedDescription)")
        default: return
        }
        try save()
    }

    private func save() throws {
        try JSONEncoder().encode(queue.unfinishedRecords).write(to: savedList, options: .atomic)
    }

    private func perform(_ command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        let operation = queue.requests.first { name($0) == words.last }
        switch words.first {
        case "add":
            guard let url = words.last.flatMap({ URL(webAddress: $0) }) else { return say("not a URL") }
            let file = folder.appending(component: url.safeFileName)
            queue.add(NetworkRequest(url, destination: .file(file, onConflict: .keepIfCurrent(otherwise: .overwrite))))
        case "list":
            for operation in queue.requests {
                let fraction = operation.progress.fractionCompleted.map { "\(Int($0 * 100)) %" } ?? "unknown"
                say("\(name(operation)): \(operation.status), \(fraction)")
            }
        case "pause": operation?.pause()
        case "resume": operation?.resume()
        case "front": operation?.moveToFront()
        case "remove":
            guard let operation else { return }
            operation.cancel()
            // Until then the part file is in use.
            _ = try? await operation.response()
            PartialDownload.remove(for: folder.appending(component: name(operation)))
        default: say("add URL, list, or pause, resume, front or remove NAME")
        }
        try save()
    }

    private func name(_ operation: RequestOperation) -> String { operation.request.url.safeFileName }

    private func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
