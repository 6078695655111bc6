import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// An attack on one download must not be felt by another on the same transport, whose thread they share.
@Suite(.timeLimit(.minutes(10)))
struct HostileFolderOverTheWireTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs the attacked request until its content is gated or it has ended, then an honest one to its end, and then
    /// the rest.
    private func runBoth(
        _ kind: TransportKind, onConflict policy: Destination.ConflictPolicy = .fail,
        prepare: (inout NetworkRequest) -> Void = { _ in }
    ) async throws -> RequestOperation {
        let rig = try LiveRig(kind)
        let gate = Gate()
        let content = ScriptedResponse.generated(size: 100_000, seed: 1).acceptingRanges(etag: "\"1\"")
        rig.server.serve("/attacked", content.gated(by: gate, at: .afterBody(50_000)))
        rig.server.serve("/honest", .generated(size: 5000, seed: 2))
        var request = NetworkRequest(rig.server.url("/attacked"))
        request.destination = .file(folder.file("file"), onConflict: policy)
        prepare(&request)
        var honest = NetworkRequest(rig.server.url("/honest"))
        honest.destination = .file(folder.file("honest"))
        let attacked = rig.queue.add(request)
        rig.queue.go()
        if policy != .overwrite, request.body == nil { #expect(await gate.waitForArrival(count: 1)) }
        // It ends while the other is still under way: the gate is closed.
        let operation = RequestOperation(honest)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        operation.completionHandler = { _, _, _ in end.finish() }
        rig.queue.add(operation)
        for await _ in ends {}
        #expect(operation.error == nil)
        #expect(try GeneratedContent(size: 5000, seed: 2).matches(contentsOf: folder.file("honest")))
        gate.open()
        await rig.recorder.waitForDrain()
        return attacked
    }

    @Test(
        arguments: TransportKind.allCases, ["file.nqk.part", "file.nqk.part.info", "file.nqk.part.info.new"])
    func `An odd file under a name that a download uses harms neither it nor another download`(
        kind: TransportKind, name: String
    ) async throws {
        for odd in OddFile.creatable {
            try odd.make(at: folder.file(name))
            let operation = try await runBoth(kind)
            #expect(operation.error == nil, "\(odd): \(operation.error?.description ?? "")")
            #expect(try GeneratedContent(size: 100_000, seed: 1).matches(contentsOf: folder.file("file")), "\(odd)")
            for name in folder.contents { try FileManager.default.removeItem(at: folder.file(name)) }
        }
    }

    @Test(arguments: TransportKind.allCases, OddFile.special)
    func `A file that .overwrite may not replace is an error and does not disturb another download`(
        kind: TransportKind, odd: OddFile
    ) async throws {
        try odd.make(at: folder.file("file"))
        let operation = try await runBoth(kind, onConflict: .overwrite)
        let code: POSIXErrorCode = odd == .directory ? .EISDIR : .EEXIST
        #expect((operation.error?.underlying as? POSIXError)?.code == code)
        #expect(odd.isIntact(at: folder.file("file")))
    }

    @Test(arguments: TransportKind.allCases, OddFile.special)
    func `An upload of an odd file is an error and does not disturb a download beside it`(
        kind: TransportKind, odd: OddFile
    ) async throws {
        try odd.make(at: folder.file("upload"))
        for isForm in [false, true] {
            let operation = try await runBoth(kind) { request in
                request.urlRequest.httpMethod = "PUT"
                var form = MultipartForm()
                form.append(file: folder.file("upload"), name: "file")
                request.body = isForm ? .multipart(form) : .file(folder.file("upload"))
            }
            #expect(operation.error?.code == .bodyUnavailable, "\(operation.error?.description ?? "")")
            try FileManager.default.removeItem(at: folder.file("honest"))
        }
    }
}
