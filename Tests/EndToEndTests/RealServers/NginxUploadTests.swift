import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Uploads to a server that is not ours (WebDAV's PUT). Skipped where nginx is not installed.
@Suite(.enabled(if: NginxServer.isInstalled, "nginx is not installed"), .timeLimit(.minutes(10)))
struct NginxUploadTests {
    private func bytes(_ count: Int, seed: Int) -> Data {
        Data(GeneratedContent(size: Int64(count), seed: UInt64(seed)).bytes(in: 0..<Int64(count)))
    }

    @Test(arguments: TransportKind.allCases)
    func `Files of 1 byte, 64 KiB and 8 MiB, and two hundred small ones, arrive byte for byte`(
        kind: TransportKind
    ) async throws {
        let (source, target) = (try TemporaryFolder(), try TemporaryFolder())
        let server = try NginxServer(
            root: target.url, directives: "dav_methods PUT; create_full_put_path on; client_max_body_size 0;")
        defer { server.stop() }
        let queue = try NetworkQueue.live(.patient, over: kind, atATime: 6)
        let recorder = DelegateRecorder()
        queue.delegate = recorder
        var sizes = [0, 1, 64 << 10, 8 << 20]
        sizes += (0..<200).map { $0 * 7 % 5000 }
        for (number, size) in sizes.enumerated() {
            let file = try source.write(bytes(size, seed: number), to: "\(number).bin")
            queue.add(.put(server.url("folder-\(number % 7)/\(number).bin"), body: .file(file)))
        }
        let expected = Int64(sizes.reduce(0, +))
        #expect(queue.progress.upload == .init(transferred: 0, expected: expected))
        let summary = await queue.run()

        #expect(summary.isSuccess, "\(summary.counts) \(summary.firstFailure?.error.description ?? "")")
        #expect(summary.bytesSent == expected)
        for (number, size) in sizes.enumerated() {
            let arrived = try Data(contentsOf: target.file("folder-\(number % 7)/\(number).bin"))
            #expect(arrived == bytes(size, seed: number), "\(number)")
        }
        let log = try await server.log(count: sizes.count)
        #expect(log.count == sizes.count && log.allSatisfy { $0.method == "PUT" && $0.status == 201 })
        #expect(recorder.updates.allSatisfy { $0.upload.expected == expected })
        let transferred = recorder.updates.map(\.upload.transferred)
        #expect(transferred == transferred.sorted())
    }
}
