import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Each fault on each transport: one end, which is told once, and nothing is left behind.
@Suite(.timeLimit(.minutes(10)))
struct FaultTests {
    /// More than the buffers of both sockets hold.
    private static let upload = Data(count: 16 << 20)

    private func request(_ fault: Fault, _ url: URL, _ file: URL) -> NetworkRequest {
        var request = NetworkRequest(url)
        switch fault.job {
        case .download:
            request.destination = .file(file)
            request.acceptsCompressed = true
            request.maxDecodedSize = 100_000
        case .upload:
            request.method = "PUT"
            request.body = .data(Self.upload)
        case .head: request.method = "HEAD"
        case .post: request.body = .data(Data("content".utf8))
        }
        // A minute for a busy machine, unless the server is silent on purpose.
        request.idleTimeout = fault.code == .timedOut ? .milliseconds(300) : .seconds(60)
        return request
    }

    @Test(arguments: TransportKind.allCases, Fault.all.filter { !$0.needsPrograms })
    func `A fault is one end, and nothing is left of it`(kind: TransportKind, fault: Fault) async throws {
        try await check(fault, over: kind)
    }

    @Test(
        .enabled(if: TestAuthority.isInstalled, "python3, nginx or openssl is not installed"),
        arguments: TransportKind.allCases, Fault.all.filter(\.needsPrograms))
    func `A fault that takes a program is one end, and nothing is left of it`(
        kind: TransportKind, fault: Fault
    ) async throws {
        try await check(fault, over: kind)
    }

    private func check(_ fault: Fault, over kind: TransportKind) async throws {
        if let limitation = fault.limitation, kind.has(limitation) { return }
        weak let freed = try await run(fault, over: kind)
        #expect(await eventually { freed == nil })
    }

    /// Returns the operation, which nothing else has any more.
    private func run(_ fault: Fault, over kind: TransportKind) async throws -> RequestOperation {
        let server = try LoopbackServer()
        server.serve("/honest", .text("honest"))
        let scene = try fault.script(server)
        let url = scene.url ?? server.url("/fault")
        let rig = try LiveRig(kind, server: server, transport: scene.configuration) { $0.retryPolicy = .never }
        if scene.hasKeptConnection { #expect(await rig.run(NetworkRequest(url)).error == nil) }
        let operation = await rig.run(request(fault, url, rig.folder.file("file")))
        #expect(operation.error?.code == fault.code, "\(String(describing: operation.error))")
        // What is incomplete has no name of its own, and is kept only where it can be continued.
        let names = rig.folder.contents
        #expect(names.contains("file") == (fault.job == .download && fault.code == nil))
        #expect(names.allSatisfy { $0 == "file" || $0.hasPrefix("file.nqk.part") && fault.code.isInterruption })
        for name in names { #expect(openDescriptors(of: rig.folder.file(name)) == 0) }
        // The transport is as good as before.
        #expect(await rig.get("/honest").data == Data("honest".utf8))
        let story = rig.recorder.story(of: operation)
        #expect(story.count { $0 == "finish" || $0.hasPrefix("fail") } == 1)
        #expect(story.last == fault.code.map { "fail \($0)" } ?? "finish")
        #expect(rig.recorder.summaries.count == (scene.hasKeptConnection ? 3 : 2))
        withExtendedLifetime(scene) {}
        return operation
    }

    @Test func `The page is the table`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/NetworkQueueKit/NetworkQueueKit.docc/Faults.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
        let printed = Fault.all.map { fault in
            "| \(fault.testDescription) | \(fault.end) |"
        }
        #expect(lines.filter { $0.hasPrefix("| ") }.dropFirst() == printed[...], "\(printed.joined(separator: "\n"))")
    }
}

extension NetworkError.Code? {
    /// Whether the rest of a download may come later.
    fileprivate var isInterruption: Bool { self == .connectionLost || self == .timedOut }
}
