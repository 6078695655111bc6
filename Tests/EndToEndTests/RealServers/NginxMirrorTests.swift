import Dispatch
import Foundation
import NetworkQueueKit
import TestSupport
import Testing

/// A real server with real files. Skipped where nginx is not installed.
@Suite(.enabled(if: NginxServer.isInstalled, "nginx is not installed"), .timeLimit(.minutes(10)))
struct NginxMirrorTests {
    @Test
    func `A tree of 400 files arrives byte for byte, with one HEAD and one GET for each file`() async throws {
        let tree = try FileTree(count: 400)
        defer { tree.remove() }
        #expect(tree.paths.count == 400)
        let server = try NginxServer(root: tree.root)
        defer { server.stop() }
        let output = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }

        let transport = try TransportKind.default.makeTransport()
        var configuration = NetworkQueue.Configuration()
        configuration.maxConcurrentRequestCount = 6
        // On a machine that is slow enough, the sizes would not be there in 10 s, and the transfers would not wait for
        // them.
        configuration.sizingTimeout = .seconds(300)
        let queue = NetworkQueue(
            configuration: configuration, transport: transport, delegateQueue: DispatchQueue(label: "test"))
        let recorder = DelegateRecorder()
        queue.delegate = recorder
        for path in tree.paths {
            var request = NetworkRequest(server.url(path))
            request.destination = .file(output.appending(path: path))
            queue.add(request)
        }
        let summary = await queue.run()

        #expect(summary.isSuccess, "\(summary.counts) \(summary.firstFailure?.error.description ?? "")")
        for path in tree.paths {
            let original = try Data(contentsOf: tree.root.appending(path: path))
            #expect(try Data(contentsOf: output.appending(path: path)) == original, "\(path)")
        }
        let log = try await server.log(count: 2 * tree.paths.count)
        #expect(log.count == 2 * tree.paths.count)
        let answers = Dictionary(grouping: log) { $0.path }
        #expect(answers.values.allSatisfy { Set($0.map(\.method)) == ["HEAD", "GET"] && $0.count == 2 })
        // Probes have a width of their own, which grows with the one origin; the transfers go on with their
        // connections.
        #expect(Set(log.map(\.connection)).count <= 32)
        let probed = Set(log.filter { $0.method == "HEAD" }.map(\.connection))
        #expect(log.allSatisfy { probed.contains($0.connection) })
        // The barrier: every HEAD was answered before the first GET.
        #expect(log.prefix(tree.paths.count).allSatisfy { $0.method == "HEAD" })
        // Every size was known beforehand, so nothing was ever estimated.
        let transfers = recorder.updates.filter { $0.phase == .transferring }
        #expect(transfers.allSatisfy { !$0.download.isEstimated && $0.download.expected == summary.bytesReceived })
    }
}
