import Foundation
import NetworkQueueKit

enum LargeForm: Example {
    static let subject = "a form of 200 MB, sent from a file"

    static func run(_ site: Site) async throws {
        let size: UInt64 = 200_000_000
        let video = site.file("video.bin")
        try check(FileManager.default.createFile(atPath: video.path(), contents: nil), "a file can be made")
        let handle = try FileHandle(forWritingTo: video)
        try handle.truncate(atOffset: size)
        try handle.close()

        // Of the file no more than a few hundred kilobytes are in memory at a time.
        var form = MultipartForm()
        form.append("Holidays", name: "title")
        form.append(file: video, name: "video")
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "form"))
        let operation = queue.add(NetworkRequest.post(site.url("/forms"), body: .multipart(form)))
        operation.uploadProgressHandler = { fraction, _, _ in
            if let fraction, fraction == 1 { print("  all of it has been sent") }
        }
        let summary = await queue.run()
        if let failure = summary.firstFailure { throw failure.error }
        let received = operation.data.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0
        try check(received > size && received < size + 1_000, "the server has got all of it")
    }
}
