import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// What makes a request fail whatever the server would answer.
@Suite(.timeLimit(.minutes(10)))
struct ObstacleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func rig(
        isAccurate: Bool = true, _ script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer
    ) -> QueueRig<NetworkQueue> {
        QueueRig(ScriptedTransport(script: script)) {
            $0.showsAccurateProgress = isAccurate
            $0.cancelsAllOnFailure = false
        }
    }

    private func rig(isAccurate: Bool = true) -> QueueRig<NetworkQueue> {
        rig(isAccurate: isAccurate) { _ in .ok("new") }
    }

    private func request(_ path: String, to name: String) -> NetworkRequest {
        var request = NetworkRequest(.test(path))
        request.destination = .file(folder.file(name))
        return request
    }

    private func sent(_ rig: QueueRig<NetworkQueue>) -> [String] {
        rig.transport.exchanges.map { $0.exchange.method + $0.path }
    }

    @Test(arguments: [false, true])
    func `A request whose file must not be replaced sends nothing, and the others go on`(isAccurate: Bool) async throws
    {
        try folder.write("old", to: "there")
        try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            at: folder.file("link"), withDestinationURL: folder.file("elsewhere"))
        let rig = rig(isAccurate: isAccurate)
        let adapted = Gathering<String>()
        let hindered = ["there", "folder", "link"].map { name in
            var request = request(name, to: name)
            request.adapters = [
                .adapter { request, _ in
                    adapted.add(name)
                    return request
                }
            ]
            return rig.queue.add(request)
        }
        var upload = request("upload", to: "there")
        upload.body = .data(Data(count: 3))
        let others = [rig.queue.add(upload), rig.queue.add(request("free", to: "free"))]
        await rig.queue.run()
        #expect(adapted.values.isEmpty && hindered[2].error?.fileURL == folder.file("link"))
        for operation in hindered + others.prefix(1) {
            #expect(operation.error?.code == .fileSystem && operation.error?.posixCode == .EEXIST)
            #expect(rig.recorder.story(of: operation) == ["start", "fail fileSystem"])
        }
        #expect(others[1].error == nil)
        #expect(sent(rig) == (isAccurate ? ["HEAD/free", "GET/free"] : ["GET/free"]))
        #expect(try folder.read("there") == "old")
    }

    @Test func `A request whose file has appeared while its size was asked for sends nothing more`() async throws {
        let folder = folder
        let rig = rig { exchange in
            if exchange.method == "HEAD" { try? folder.write("late", to: "file") }
            return .ok("new")
        }
        let operation = await rig.run(request("a", to: "file"))
        #expect(operation.error?.posixCode == .EEXIST && sent(rig) == ["HEAD/a"])
        #expect(try folder.read("file") == "late")
    }

    @Test
    func `A request whose file is there sends at most the HEAD that another one for its URL wants`() async throws {
        try folder.write("old", to: "there")
        let rig = rig()
        let operations = ["there", "free"].map { rig.queue.add(request("a", to: $0)) }
        await rig.queue.run()
        #expect(operations.map(\.status) == [.failed, .finished] && sent(rig) == ["HEAD/a", "GET/a"])
    }

    @Test(arguments: [false, true])
    func `A retried request sends nothing until the file in its way has gone`(removes: Bool) async throws {
        try folder.write("old", to: "file")
        let rig = rig()
        let file = folder.file("file")
        var request = request("a", to: "file")
        request.retryDecider = .decider { _, context in
            guard context.attempt < 3 else { return .fail }
            if removes { try? FileManager.default.removeItem(at: file) }
            return .retry(after: .zero)
        }
        let operation = await rig.run(request)
        #expect(operation.error?.posixCode == (removes ? nil : .EEXIST) && sent(rig) == (removes ? ["GET/a"] : []))
    }

    @Test(arguments: ["If-None-Match", "If-Modified-Since"])
    func `A request is sent if the server may say that the existing file is still right`(name: String) async throws {
        try folder.write("old", to: "file")
        let rig = rig { _ in .status(304, [:]) }
        var request = request("a", to: "file")
        request.headers[name] = "\"v1\""
        let operation = await rig.run(request)
        #expect(operation.error == nil)
        #expect(try folder.read("file") == "old")
    }

    @Test(
        arguments: [
            .md5(""), .md5("12"), .md5(String(repeating: "g", count: 32)), .md5(String(repeating: "0", count: 33)),
            .md5(String(repeating: "٣", count: 32)), .sha256(String(repeating: "0", count: 32)),
        ] as [NetworkRequest.Checksum])
    func `A request whose expected checksum no content can have sends nothing`(_ checksum: NetworkRequest.Checksum)
        async throws
    {
        let rig = rig()
        let operations = [request("a", to: "file"), NetworkRequest(.test("b"))].map { request in
            var request = request
            request.expectedChecksum = checksum
            return rig.queue.add(request)
        }
        await rig.queue.run()
        for operation in operations {
            #expect(operation.error?.code == .validation)
            #expect(operation.error?.underlying as? ContentMismatch == .malformedChecksum(checksum))
        }
        #expect(sent(rig).isEmpty && folder.contents == [])
    }
}
