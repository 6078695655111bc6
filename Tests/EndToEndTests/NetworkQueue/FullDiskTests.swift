import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FullDiskTests {
    @Test(
        .enabled(if: SmallDisk.isAvailable, "only root may mount a small file system"),
        arguments: TransportKind.allCases)
    func `A full disk fails downloads that have no room and keeps the part that a later run goes on with`(
        kind: TransportKind
    ) async throws {
        let disk = try SmallDisk(megabytes: 10)
        defer { disk.remove() }
        let rig = try LiveRig(kind) { $0.maxConcurrentRequestCount = 1 }
        rig.server.serve("/large", .generated(size: 20 << 20).acceptingRanges(etag: "\"1\""))
        rig.server.serve("/small", .generated(size: 1 << 20, seed: 4))
        for name in ["first", "large", "second"] {
            var request = NetworkRequest(rig.server.url(name == "large" ? "/large" : "/small"))
            request.destination = .file(disk.folder.file(name))
            rig.queue.add(request)
        }
        let summary = await rig.queue.run()
        #expect(summary.counts == .init(finished: 1, failed: 2))
        #expect(summary.firstFailure?.operation.request.urlRequest.url?.path() == "/large")
        #expect(summary.firstFailure?.error.code == .fileSystem)
        #expect((summary.firstFailure?.error.underlying as? POSIXError)?.code == .ENOSPC)
        #expect(disk.folder.contents == ["first", "large.nqk.part", "large.nqk.part.info"])
        #expect(try GeneratedContent(size: 1 << 20, seed: 4).matches(contentsOf: disk.folder.file("first")))
    }
}
