import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct ExpectedChecksumTests {
    private static let right = NetworkRequest.Checksum.md5("781E5E245D69B566979B86E28D23F2C7")  // of 0123456789
    private static let sha = NetworkRequest.Checksum.sha256(
        "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882")
    private static let sha512 = NetworkRequest.Checksum.sha512(
        "bb96c2fc40d2d54617d6f276febe571f623a8dadf0b734855299b0e107fda32c"
            + "f6b69f2da32b36445d73690b93cbd0f7bfc20e0f7f28553d2a4428f23b716e90")
    private static let sha1 = NetworkRequest.Checksum.sha1("87acec17cd9dcd20a716cc2cf67417b71c8a7016")

    private func mismatch(_ operation: RequestOperation) -> ContentMismatch? {
        operation.error?.code == .contentMismatch ? operation.error?.underlying as? ContentMismatch : nil
    }

    private func requests(_ rig: QueueRig<NetworkQueue>) -> [NetworkRequest] {
        var requests = [rig.request(), NetworkRequest(URL.test("a")), NetworkRequest(URL.test("a"))]
        requests[2].destination = .discard
        return requests
    }

    @Test(arguments: [right, sha, sha512, sha1])
    func `Content with the expected checksum succeeds, wherever it goes`(_ checksum: NetworkRequest.Checksum)
        async throws
    {
        let rig = QueueRig.started()
        for var request in requests(rig) {
            request.expectedChecksum = checksum
            request.expectedDownloadSize = 10
            let (operation, exchange) = await rig.start(request)
            exchange.receive(headers: ["Content-Length": "10"])
            for byte in "0123456789".utf8 { exchange.receive(Data([byte])) }
            exchange.end()
            await rig.end(of: operation)
            #expect(operation.error == nil)
        }
        #expect(rig.folder.contents == ["file"])
    }

    @Test(arguments: [right, sha, sha512, sha1])
    func `A checksum compares itself with a file`(_ checksum: NetworkRequest.Checksum) throws {
        let folder = try TemporaryFolder()
        try folder.write("0123456789", to: "right")
        try folder.write("012345678X", to: "wrong")
        var counted = 0
        try checksum.verify(contentsOf: folder.file("right")) { count in
            counted += count
            return true
        }
        #expect(counted == 10)
        let wrong = #expect(throws: NetworkError.self) { try checksum.verify(contentsOf: folder.file("wrong")) }
        #expect(wrong?.code == .contentMismatch)
        let missing = #expect(throws: NetworkError.self) { try checksum.verify(contentsOf: folder.file("missing")) }
        #expect((missing?.underlying as? POSIXError)?.code == .ENOENT)
        let unwanted = #expect(throws: NetworkError.self) {
            try checksum.verify(contentsOf: folder.file("right")) { _ in false }
        }
        #expect(unwanted?.code == .cancelled)
    }

    @Test(arguments: ["GET", "HEAD"])
    func `A HEAD that an adapter has made of a GET does not bring the expected content`(asked: String) async throws {
        let rig = QueueRig.started { $0.adapters = [.adapter { request, _ in request.with(method: "HEAD") }] }
        var request = rig.request()
        request.urlRequest.httpMethod = asked
        request.expectedChecksum = Self.right
        let operation = await rig.run(request, answers: asked == "HEAD" ? [.ok()] : [.ok(), .ok()])
        #expect((operation.error == nil) == (asked == "HEAD"))
        #expect(rig.folder.contents == (asked == "HEAD" ? ["file"] : []))
    }

    @Test
    func `Content with another checksum fails, and nothing of it is kept`() async throws {
        let rig = QueueRig.started { $0.retryPolicy = .standard }
        for var request in requests(rig) {
            request.expectedChecksum = Self.right
            let answer: ScriptedTransport.Answer = .respond(
                status: 200, headers: ["ETag": "\"v1\""], body: Data("012345678X".utf8))
            let operation = await rig.run(request, answers: [answer, answer])
            #expect(
                mismatch(operation) == .checksum(expected: Self.right, actual: "ac05d0a566f34c80a46812005e5c48d2"))
            #expect(operation.data == nil && operation.attempts == 2)
            #expect(
                operation.error?.description == "The content from host.test does not match: the MD5 is "
                    + "ac05d0a566f34c80a46812005e5c48d2, expected 781e5e245d69b566979b86e28d23f2c7.")
        }
        #expect(rig.folder.contents == [])
    }

    @Test
    func `The expected size counts like a checksum, and an estimate does not`() async throws {
        let rig = QueueRig.started()
        // Content without a length is measured as it comes: what is too long is stopped.
        for headers: HTTPHeaders in [[:], ["Content-Length": "10"]] {
            for size: Int64 in [9, 11] {
                for checksum in [nil, Self.right] {
                    for var request in requests(rig) {
                        request.expectedChecksum = checksum
                        request.expectedDownloadSize = size
                        let answer = ScriptedTransport.Answer.respond(
                            status: 200, headers: headers, body: Data("0123456789".utf8))
                        let operation = await rig.run(request, answers: [answer, answer])
                        #expect(mismatch(operation) == .size(expected: size, actual: 10))
                    }
                }
            }
        }
        #expect(rig.folder.contents == [])
        var request = rig.request()
        request.estimatedDownloadSize = 3
        #expect(await rig.run(request, answers: [.ok(Data("0123456789".utf8))]).error == nil)
    }

    @Test func `Content of another size comes with the error, as a page`() async throws {
        let rig = QueueRig.started()
        var request = rig.request()
        request.expectedDownloadSize = 5_000_000
        let page = Data("<html>not here</html>".utf8)
        let answer: ScriptedTransport.Answer = .respond(
            status: 200, headers: ["Content-Length": "\(page.count)"], body: page)
        let operation = await rig.run(request, answers: [answer, answer])
        #expect(mismatch(operation) == .size(expected: 5_000_000, actual: Int64(page.count)))
        #expect(operation.error?.response?.data == page)
    }

    @Test func `The expected size does not concern a HEAD, a 304, a failure or a Range of the caller's own`()
        async throws
    {
        let rig = QueueRig.started()
        let cases: [(NetworkRequest, ScriptedTransport.Answer, NetworkError.Code?)] = [
            (.head(URL.test("a")), .status(200, ["Content-Length": "3"]), nil),
            (.get(URL.test("a"), headers: ["If-None-Match": "\"1\""]), .status(304), nil),
            (.get(URL.test("a")), .respond(status: 404, headers: [:], body: Data("no".utf8)), .httpStatus(404)),
            (
                .get(URL.test("a"), headers: ["Range": "bytes=0-1"]),
                .respond(status: 206, headers: ["Content-Range": "bytes 0-1/10"], body: Data("01".utf8)), nil
            ),
        ]
        for (var request, answer, code) in cases {
            request.expectedDownloadSize = 10
            #expect(await rig.run(request, answers: [answer]).error?.code == code)
        }
    }

    @Test(arguments: [(10, nil), (11, 11)] as [(Int64, Int64?)])
    func `The size of a resumed download is that of the whole`(size: Int64, expected: Int64?) async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        var request = rig.request()
        request.expectedDownloadSize = size
        let answer = ScriptedTransport.Answer.respond(
            status: 206, headers: ["Content-Range": "bytes 5-9/10", "ETag": "\"v1\""], body: Data("56789".utf8))
        let again: [ScriptedTransport.Answer] = expected == nil ? [] : [.ok(Data("0123456789".utf8))]
        let operation = await rig.run(request, answers: [answer] + again)
        #expect(mismatch(operation) == expected.map { .size(expected: $0, actual: 10) })
        #expect(rig.folder.contents == (expected == nil ? ["file"] : []))
    }

    @Test(arguments: ["56789", "5678X"])
    func `The checksum of a resumed download is that of the whole file`(rest: String) async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        var request = rig.request()
        request.expectedChecksum = Self.sha
        let answer = ScriptedTransport.Answer.respond(
            status: 206, headers: ["Content-Range": "bytes 5-9/10", "ETag": "\"v1\""], body: Data(rest.utf8))
        let again: [ScriptedTransport.Answer] = rest == "56789" ? [] : [.ok(Data("012345678X".utf8))]
        let operation = await rig.run(request, answers: [answer] + again)
        if rest == "56789" {
            #expect(operation.error == nil)
            #expect(rig.folder.contents == ["file"])
        } else {
            #expect(mismatch(operation) != nil)
            #expect(rig.folder.contents == [])
        }
    }

    @Test
    func `A failed transfer keeps its part even if a checksum is expected`() async throws {
        let rig = QueueRig.started()
        var request = rig.request()
        request.expectedChecksum = Self.right
        await rig.interrupt(request)
        #expect(rig.folder.contents == QueueRig.partFiles())
    }
}

extension URLRequest {
    fileprivate func with(method: String) -> URLRequest {
        var request = self
        request.httpMethod = method
        return request
    }
}
