import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Verifies content as it comes, and takes its time.
private final class VerifyingSink: DownloadSink {
    private struct State {
        var verifier: GeneratedContent.Verifier
        var largestChunk = 0
        var isFinished = false
        var isRight: Bool?
    }

    private let content: GeneratedContent
    private let state: Guarded<State>

    init(_ content: GeneratedContent) {
        self.content = content
        state = Guarded(State(verifier: content.verifier()))
    }

    var largestChunk: Int { state.withLock { $0.largestChunk } }
    var isRight: Bool { state.withLock { $0.isFinished && $0.verifier.isComplete } }

    func begin(_ head: ResponseHead) async throws {
        state.withLock { $0.verifier = content.verifier() }
    }

    func write(_ chunk: Data) async throws {
        for _ in 0..<20 { await Task.yield() }
        state.withLock { state in
            state.verifier.update(chunk)
            state.largestChunk = max(state.largestChunk, chunk.count)
        }
    }

    func finish() async throws { state.withLock { $0.isFinished = true } }
}

@Suite(.timeLimit(.minutes(10)))
struct ReceivingTests {
    @Test(arguments: TransportKind.allCases)
    func `A slow sink gets all content in order, in pieces of limited size`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        let content = GeneratedContent(size: 8 << 20, seed: 9)
        rig.server.serve("/a", .generated(size: content.size, seed: 9))
        let sink = VerifyingSink(content)
        let operation = await rig.get("/a", to: .sink(sink))
        #expect(operation.error == nil && sink.isRight)
        // With URLSession a piece is what Foundation hands over at a time.
        if kind != .urlSession { #expect(sink.largestChunk <= 512 << 10) }
    }

    @Test(arguments: TransportKind.allCases)
    func `Gzip is decoded once, even on a transport that decodes by itself`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", .data(CompressedSamples.gzip).header("Content-Encoding", "gzip"))
        var request = NetworkRequest(rig.server.url("/a"))
        request.acceptsCompressed = true
        request.retryPolicy = .never
        let operation = await rig.run(request)
        #expect(operation.data == CompressedSamples.text)
        #expect(rig.server.requests.first?.headers["Accept-Encoding"] == "gzip, deflate")
        request.maxDecodedSize = 100
        #expect(await rig.run(request).error?.code == .responseTooLarge)
    }

    @Test(arguments: TransportKind.allCases)
    func `Gzip that comes unasked is decoded to memory, and kept in a file unless the transport decodes it`(
        kind: TransportKind
    ) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", .data(CompressedSamples.gzip).header("Content-Encoding", "gzip"))
        var request = NetworkRequest(rig.server.url("/a"))
        #expect(await rig.run(request).data == CompressedSamples.text)
        #expect(rig.server.requests.first?.headers["Accept-Encoding"] == "identity")
        request.maxDecodedSize = 100
        #expect(await rig.run(request).error?.code == .responseTooLarge)
        #expect(await rig.get("/a", to: .file(rig.folder.file("a"))).error == nil)
        let isDecoded = rig.transport.decodesContent
        #expect(isDecoded == (kind == .urlSession))
        #expect(
            try Data(contentsOf: rig.folder.file("a")) == (isDecoded ? CompressedSamples.text : CompressedSamples.gzip))
    }
}
