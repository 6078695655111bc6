import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct WholePartTests {
    /// As a process leaves it that is killed between the last byte and the move.
    @Test(arguments: TransportKind.allCases)
    func `A part that lacks only its name becomes the file, with the date of the first response`(kind: TransportKind)
        async throws
    {
        let folder = try TemporaryFolder()
        let moment = Date(timeIntervalSince1970: 784_111_777)
        let rig = try LiveRig(kind) { $0.showsAccurateProgress = false }
        rig.server.serve("/a") { request in
            request.headers["Range"] == "bytes=5-"
                ? ScriptedResponse.text("nt").with(\.status, 206).header("Content-Range", "bytes 5-6/7")
                    .header("ETag", "\"1\"")
                : .status(500)
        }
        let url = rig.server.url("/a")
        try folder.write("content", to: "a.nqk.part")
        let sidecar = Sidecar(
            url: url.absoluteString, validators: Validators(entityTag: "\"1\"", modified: moment), total: 7)
        try folder.write(sidecar.text, to: "a.nqk.part.info")
        var request = NetworkRequest(url)
        request.destination = .file(folder.file("a"))
        let operation = await rig.run(request)
        #expect(operation.status == .finished)
        #expect(try folder.read("a") == "content")
        let values = try folder.file("a").resourceValues(forKeys: [.contentModificationDateKey])
        #expect(values.contentModificationDate == moment)
        #expect(folder.contents == ["a"])
    }
}
