import Foundation
import NetworkQueueKit

enum LargeForm: Example {
    static let subject = "a form of 200 MB, sent from a file"

    static func run(_ site: Site) async throws {
        let size: UInt64 = 200_000_000
        let video = site.file("video.bin")
        try check(
            FileManager.default.createFile(atPath: video.path(percentEncoded: false), contents: nil),
            "a file can be made")
        let handle = try FileHandle(forWritingTo: video)
        try handle.truncate(atOffset: size)
        try handle.close()

        // At most a few hundred kilobytes of the file are in memory at a time.
        var form = MultipartForm()
        form.append("Holidays", name: "title")
        form.append(file: video, name: "video")
        let operation = RequestQueue().add(.post(site.url("/forms"), body: .multipart(form)))
        for await progress in operation.progressUpdates {
            print("  \(progress.upload.transferred) of \(progress.upload.expected ?? 0) bytes")
        }
        let data = try await operation.response().data ?? Data()
        let received = UInt64(String(decoding: data, as: UTF8.self)) ?? 0
        try check(received > size && received < size + 1_000, "the server has got all of it")
    }
}
