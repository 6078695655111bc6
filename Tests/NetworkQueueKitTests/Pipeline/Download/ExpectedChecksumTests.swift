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
        let rig = QueueRig.started { $0.adapters = [.changing { $0.httpMethod = "HEAD" }] }
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
            let answer: ScriptedTransport.Answer = .text("012345678X", ["ETag": "\"v1\""])
            let operation = await rig.run(request, answers: [answer, answer])
            #expect(mismatch(operation) == .checksum(expected: Self.right, actual: "ac05d0a566f34c80a46812005e5c48d2"))
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
                        let answer = ScriptedTransport.Answer.text("0123456789", headers)
                        let operation = await rig.run(request, answers: [answer, answer])
                        #expect(mismatch(operation) == .size(expected: size, actual: 10))
                        // As a page, if none of it was handed on.
                        if size == 11, !headers.isEmpty {
                            #expect(operation.error?.response?.data == Data("0123456789".utf8))
                        }
                    }
                }
            }
        }
        #expect(rig.folder.contents == [])
        var request = rig.request()
        request.estimatedDownloadSize = 3
        #expect(await rig.run(request, answers: [.ok("0123456789")]).error == nil)
    }

    @Test func `The expected size does not concern a HEAD, a 304, a failure or a Range of the caller's own`()
        async throws
    {
        let rig = QueueRig.started()
        let cases: [(NetworkRequest, ScriptedTransport.Answer, NetworkError.Code?)] = [
            (.head(URL.test("a")), .status(200, ["Content-Length": "3"]), nil),
            (.get(URL.test("a"), headers: ["If-None-Match": "\"1\""]), .status(304), nil),
            (.get(URL.test("a")), .text("no", status: 404), .httpStatus(404)),
            (
                .get(URL.test("a"), headers: ["Range": "bytes=0-1"]),
                .text("01", status: 206, ["Content-Range": "bytes 0-1/10"]), nil
            ),
        ]
        for (var request, answer, code) in cases {
            request.expectedDownloadSize = 10
            #expect(await rig.run(request, answers: [answer]).error?.code == code)
        }
    }

    @Test(
        arguments: [
            (10, sha, "56789", true), (11, sha, "56789", false), (nil, sha, "5678X", false),
            (nil, right, "56789", true),
        ]
            as [(Int64?, NetworkRequest.Checksum, String, Bool)])
    func `Size and checksum of a resumed download are those of the whole file`(
        size: Int64?, checksum: NetworkRequest.Checksum, rest: String, fits: Bool
    ) async throws {
        let rig = QueueRig.started()
        var request = rig.request()
        request.expectedChecksum = checksum
        await rig.interrupt(request)
        request.expectedDownloadSize = size
        let again: [ScriptedTransport.Answer] = fits ? [] : [.text("01234" + rest)]
        let operation = await rig.run(request, answers: [.rest(rest)] + again)
        #expect((operation.error == nil) == fits && (mismatch(operation) == nil) == fits)
        if let size, !fits { #expect(mismatch(operation) == .size(expected: size, actual: 10)) }
        #expect(rig.folder.contents == (fits ? ["file"] : []))
    }

    @Test func `Nothing is kept of a file with a checksum whose rest came shorter than announced`() async {
        let rig = QueueRig.started()
        var request = rig.request()
        request.expectedChecksum = Self.right
        await rig.interrupt(request)
        let operation = await rig.run(request, answers: [.rest("567")])
        #expect(operation.error?.code == .badServerResponse)
        #expect(rig.folder.contents == [])
    }

    @Test func `A part that mirrors have continued is not continued as one of its first URL`() async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        var request = rig.request()
        request.expectedChecksum = Self.right
        request.mirrors = [.test("mirror")]
        request.splitting = .init(maxParts: 2, minPartSize: 1)
        let (operation, exchange) = await rig.start(request)
        exchange.receive(status: 206, headers: ["Content-Range": "bytes 5-9/10", "ETag": "\"v1\""])
        exchange.receive(Data("5".utf8))
        rig.queue.cancelAll()
        await rig.end(of: operation)
        #expect(try rig.folder.read("file.nqk.part.info").contains("checksum:"))
        let (again, whole) = await rig.start(rig.request())
        #expect(whole.exchange.headers["Range"] == nil)
        whole.answer(.ok("0123456789"))
        await rig.end(of: again)
        #expect(again.error == nil)
    }

    @Test func `Bytes of several runs that do not match are requested again from the same URL before a mirror`() async {
        let rig = QueueRig.started()
        var request = rig.request()
        request.expectedChecksum = Self.right
        request.mirrors = [.test("b")]
        let (operation, exchange) = await rig.start(request)
        exchange.receive(headers: ["ETag": "\"v1\"", "Content-Length": "10"])
        exchange.receive(Data("01234".utf8))
        operation.cancel()
        await rig.end(of: operation)
        let next = await rig.run(request, answers: [.rest("5678X"), .ok("0123456789")])
        #expect(next.error == nil && rig.transport.exchanges.last?.path == "/file")
    }
}
