import Dispatch
import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.enabled(if: NginxServer.isInstalled, "nginx is not installed"), .timeLimit(.minutes(10)))
struct NginxResumeTests {
    @Test(arguments: TransportKind.allCases)
    func `A download from nginx goes on where it was cancelled`(kind: TransportKind) async throws {
        let root = try TemporaryFolder()
        let output = try TemporaryFolder()
        let content = Data((0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
        try content.write(to: root.file("file"))
        let server = try NginxServer(root: root.url, directives: "limit_rate 1m;")
        defer { server.stop() }
        let queue = try NetworkQueue.live(.patient, over: kind)
        func run(_ cancelsAt: Int64?) async -> RequestOperation {
            var request = NetworkRequest(server.url("file"))
            request.destination = .file(output.file("file"))
            let operation = RequestOperation(request)
            if let cancelsAt {
                operation.downloadProgressHandler = { [weak operation] _, bytes, _ in
                    if bytes >= cancelsAt { operation?.cancel() }
                }
            }
            queue.add(operation)
            await queue.run()
            return operation
        }

        #expect(await run(1 << 20).status == .cancelled)
        let part = try Data(contentsOf: output.file("file.nqk.part"))
        #expect(part.count >= 1 << 20 && content.starts(with: part))
        // What has reached the disk is noted for a start after a crash of the system.
        #expect(try output.read("file.nqk.part.info").contains("\nsynced \(part.count)\n"))
        let operation = await run(nil)
        #expect(operation.error == nil && operation.responseHead?.statusCode == 206)
        #expect(operation.metrics?.bytesReceived == Int64(content.count - part.count))
        #expect(try Data(contentsOf: output.file("file")) == content)
        #expect(output.contents == ["file"])
        // nginx writes of a request when it notices its end, which for a cancelled one may be late.
        #expect(await eventually { (try? server.log().map(\.status).sorted()) == [200, 206] })
    }
}
