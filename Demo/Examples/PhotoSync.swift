import Foundation
import NetworkQueueKit

/// Synchronizes a folder of photos with an album on a server: each gets the photos that only the other has.
private struct PhotoSync {
    let album: URL
    let folder: URL

    func run() async throws -> NetworkQueue.Summary {
        let there = Set(try await RequestQueue.main.value(of: [String].self, for: album))
        let here = Set(
            try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).filter {
                $0.hasSuffix(".jpg")
            })

        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "photos"))
        queue.cancelsAllOnFailure = false
        queue.retryPolicy = RetryPolicy(maxRetries: 3)
        for name in there.subtracting(here) {
            let photo = album.appending(component: name)
            // The name comes from the server, so it must not lead out of the folder.
            queue.add(.download(photo, to: folder.appending(component: photo.safeFileName)))
        }
        for name in here.subtracting(there) {
            queue.add(.put(album.appending(component: name), body: .file(folder.appending(component: name))))
        }
        let events = queue.events()
        async let summary = queue.run()
        for await event in events {
            switch event {
            case .didFinish(let operation): print("  \(operation.request.method) \(operation.request.url.safeFileName)")
            case .didFail(let operation, let error): print("  \(operation.request): \(error.localizedDescription)")
            default: break
            }
        }
        return await summary
    }
}

enum PhotoSyncing: Example {
    static let subject = "photos are synchronized both ways"

    static func run(_ site: Site) async throws {
        for name in ["shared.jpg", "mine.jpg"] { try Data(name.utf8).write(to: site.file(name)) }
        let sync = PhotoSync(album: site.url("/album"), folder: site.folder)
        let first = try await sync.run()
        try check(first.counts.finished == 4 && first.isSuccess, "three photos have come, and one has gone")
        let upload = site.server.requests.last { $0.method == "PUT" }
        try check(upload?.body == Data("mine.jpg".utf8), "the right one has gone")
        let photo = try Data(contentsOf: site.file("1.jpg"))
        try check(photo == ExampleService.photo(1).data, "a photo has the server's content")
        let second = try await sync.run()
        try check(second.counts.total == 0, "then there is nothing to do")
    }
}
