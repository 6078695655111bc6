import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Nothing keeps a request that has ended: what refers to it from below, such as a transport's handle, is given up.
@Suite(.timeLimit(.minutes(10)))
struct LetGoTests {
    /// What a request does.
    enum Course: String, CaseIterable {
        case memory, discard, smallFile, resumableFile, sink, dataBody, fileBody, formBody, streamedBody
        case redirected, retried, rejected, unreachable, challenged, cancelled, sized
    }

    private final class Sink: DownloadSink {
        func begin(_ head: ResponseHead) async throws {}
        func write(_ chunk: Data) async throws {}
        func finish() async throws {}
    }

    private func makeRequest(_ course: Course, _ rig: LiveRig<NetworkQueue>, _ folder: URL) throws -> NetworkRequest {
        let server = rig.server
        var request = NetworkRequest(server.url("/content"))
        let file = folder.appending(path: "file")
        switch course {
        case .memory, .sized: break
        case .discard: request.destination = .discard
        case .smallFile: request.destination = .file(file)
        case .resumableFile:
            request = NetworkRequest(server.url("/large"))
            request.destination = .file(file, resumes: true)
        case .sink: request.destination = .sink(Sink())
        case .dataBody: request.body = .data(Data(count: 100_000))
        case .fileBody:
            try Data(count: 100_000).write(to: file)
            request.body = .file(file)
        case .formBody:
            var form = MultipartForm()
            form.append(Data(count: 100_000), name: "a", fileName: "b")
            request.body = .multipart(form)
        case .streamedBody: request.body = .stream(length: 100_000) { _, count in Data(count: count) }
        case .redirected: request = NetworkRequest(server.url("/moved"))
        case .retried:
            request = NetworkRequest(server.url("/busy"))
            request.retryPolicy = RetryPolicy(maxRetries: 2, backoff: .constant(.zero))
        case .rejected: request = NetworkRequest(server.url("/missing"))
        case .unreachable: request = NetworkRequest(server.url("/dropped"))
        case .challenged: request = NetworkRequest(server.url("/protected"))
        case .cancelled: request = NetworkRequest(server.url("/held"))
        }
        if request.body != nil { request.method = "POST" }
        return request
    }

    @Test(arguments: TransportKind.allCases, Course.allCases)
    func `A request that has ended is released once its queue is empty`(kind: TransportKind, course: Course)
        async throws
    {
        let folder = try TemporaryFolder()
        let rig = try LiveRig(kind) {
            $0.showsAccurateProgress = course == .sized
            // What a monitor is told refers to the request's run.
            $0.monitors = [SilentMonitor()]
        }
        // The rig's delegate keeps the operations that it is told of.
        rig.queue.delegate = nil
        let content = ScriptedResponse.data(Data(count: 20_000))
        rig.server.serve("/content", content)
        rig.server.serve("/large", .generated(size: 1_000_000).acceptingRanges(etag: "\"1\""))
        rig.server.serve("/moved", .redirect(to: "/content"))
        rig.server.serve("/busy", sequence: [.status(503), content])
        rig.server.serve("/dropped", content.dropping(after: 10_000))
        rig.server.serve("/protected", .status(401).header("WWW-Authenticate", "Basic realm=\"a\""))
        let gate = Gate()
        rig.server.serve("/held", content.gated(by: gate))
        let census = TokenCensus()
        do {
            var request = try makeRequest(course, rig, folder.url)
            request.userInfo["token"] = census.token()
            let operation = rig.queue.add(request)
            async let drain: Void = { _ = await rig.queue.run() }()
            if course == .cancelled {
                #expect(await gate.waitForArrival())
                operation.cancel()
            }
            await drain
            let mustFail = [.rejected, .unreachable, .challenged, .cancelled].contains(course)
            #expect((operation.error != nil) == mustFail, "\(operation)")
        }
        gate.open()
        // Another run forgets the failures of the one before.
        rig.queue.add(rig.server.url("/content"))
        await rig.queue.run()
        #expect(await eventually { census.alive == 0 })
    }
}

private struct SilentMonitor: QueueMonitor {}
