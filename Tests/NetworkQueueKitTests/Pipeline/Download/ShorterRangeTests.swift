import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// A 206 may have less than the requested range (RFC 9110, section 15.3.7).
@Suite(.timeLimit(.minutes(10)))
struct ShorterRangeTests {
    private static let content = "0123456789"

    /// A response with the bytes `first` to `last` of the content.
    private func piece(_ first: Int, _ last: Int, total: Int = 10) -> ScriptedTransport.Answer {
        let body = Data(Array(Self.content.utf8)[first...last])
        return .respond(
            status: 206,
            headers: [
                "Content-Range": "bytes \(first)-\(last)/\(total)", "ETag": "\"v1\"", "Content-Length": "\(body.count)",
            ], body: body)
    }

    /// A response that announces a range and then has nothing.
    private func empty(_ first: Int, _ last: Int) -> ScriptedTransport.Answer {
        .respond(
            status: 206, headers: ["Content-Range": "bytes \(first)-\(last)/10", "ETag": "\"v1\""], body: Data())
    }

    private func ranges(_ rig: QueueRig<NetworkQueue>) -> [String?] {
        rig.transport.exchanges.dropFirst().map { $0.exchange.headers["Range"] }
    }

    @Test(arguments: [nil, NetworkRequest.Splitting(maxParts: 4, minPartSize: 1)])
    func `A beginning of the rest is used, and what follows requested`(rule: NetworkRequest.Splitting?) async throws {
        let rig = QueueRig.started { $0.maxConcurrentRequestCount = 1 }
        await rig.interrupt(rig.request())
        var request = rig.request()
        request.splitting = rule
        request.expectedChecksum = .md5("781E5E245D69B566979B86E28D23F2C7")
        let operation = await rig.run(request, answers: [piece(5, 6), piece(7, 7), piece(8, 9)])
        #expect(operation.error == nil && operation.attempts == 1)
        #expect(try rig.folder.read("file") == Self.content && rig.folder.contents == ["file"])
        #expect(ranges(rig) == ["bytes=5-", "bytes=7-9", "bytes=8-9"])
        #expect(operation.progress.download == .init(transferred: 10, expected: 10))
        #expect(operation.metrics?.bytesReceived == 5)
    }

    @Test func `The last bytes of a complete part may come one at a time`() async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request(), after: Self.content)
        let operation = await rig.run(rig.request(), answers: [piece(8, 8), piece(9, 9)])
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == Self.content)
        #expect(ranges(rig) == ["bytes=8-", "bytes=9-9"])
    }

    @Test func `A piece that is of another state is not used`() async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        let operation = await rig.run(
            rig.request(), answers: [piece(5, 6), piece(7, 9, total: 11), .ok("new content")])
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == "new content")
        #expect(ranges(rig) == ["bytes=5-", "bytes=7-9", nil])
    }

    @Test func `Three answers without progress start over, past the ranges`() async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        let whole: ScriptedTransport.Answer = .respond(
            status: 200, headers: ["ETag": "\"v1\"", "Content-Length": "10"], body: Data(Self.content.utf8))
        let operation = await rig.run(
            rig.request(), answers: [piece(5, 6), empty(7, 8), empty(7, 8), empty(7, 8), whole])
        #expect(operation.error == nil && operation.attempts == 2)
        #expect(try rig.folder.read("file") == Self.content && rig.folder.contents == ["file"])
        #expect(ranges(rig).last == .some(nil))
        // What was stored is not counted again.
        #expect(operation.progress.download == .init(transferred: 10, expected: 10))
    }

    @Test func `If the content has changed by then, all of the new content is taken`() async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        let other: ScriptedTransport.Answer = .text("new", ["ETag": "\"v2\"", "Content-Length": "3"])
        let operation = await rig.run(rig.request(), answers: [empty(5, 6), empty(5, 6), empty(5, 6), other])
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == "new" && rig.folder.contents == ["file"])
    }
}
