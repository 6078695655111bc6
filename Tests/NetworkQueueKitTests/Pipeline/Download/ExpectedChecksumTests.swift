import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct ExpectedChecksumTests {
    private static let right = NetworkRequest.Checksum.md5("781E5E245D69B566979B86E28D23F2C7")  // of 0123456789
    private static let sha = NetworkRequest.Checksum.sha256(
        "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882")

    private func mismatch(_ operation: RequestOperation) -> ContentMismatch? {
        operation.error?.code == .validation ? operation.error?.underlying as? ContentMismatch : nil
    }

    private func requests(_ rig: DownloadRig) -> [NetworkRequest] {
        var requests = [rig.request(), NetworkRequest(URL.test("a")), NetworkRequest(URL.test("a"))]
        requests[2].destination = .discard
        return requests
    }

    @Test(arguments: [right, sha])
    func `content with the expected checksum succeeds, wherever it goes`(_ checksum: NetworkRequest.Checksum)
        async throws
    {
        let rig = try DownloadRig()
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

    @Test(arguments: ["GET", "HEAD"])
    func `a HEAD that an adapter has made does not bring what is expected`(asked: String) async throws {
        let rig = try DownloadRig { $0.adapters = [.adapter { request, _ in request.with(method: "HEAD") }] }
        var request = rig.request()
        request.urlRequest.httpMethod = asked
        request.expectedChecksum = Self.right
        let operation = await rig.run(request, answers: [.ok()])
        #expect((operation.error == nil) == (asked == "HEAD"))
        #expect(rig.folder.contents == (asked == "HEAD" ? ["file"] : []))
    }

    @Test
    func `content with another checksum fails, and nothing of it is kept`() async throws {
        let rig = try DownloadRig { $0.retryPolicy = .standard }
        for var request in requests(rig) {
            request.expectedChecksum = Self.right
            let operation = await rig.run(
                request, answers: [.respond(status: 200, headers: ["ETag": "\"v1\""], body: Data("012345678X".utf8))])
            #expect(
                mismatch(operation) == .checksum(expected: Self.right, actual: "ac05d0a566f34c80a46812005e5c48d2"))
            #expect(operation.data == nil && operation.attempts == 1)
            #expect(
                operation.error?.description == "The response was not accepted (host.test): its MD5 is "
                    + "ac05d0a566f34c80a46812005e5c48d2, not 781e5e245d69b566979b86e28d23f2c7.")
        }
        #expect(rig.folder.contents == [])
    }

    @Test
    func `with a checksum the expected size counts, too; alone it is a hint`() async throws {
        let rig = try DownloadRig()
        for (size, content) in [(9, "0123456789"), (11, "0123456789")] {
            for var request in requests(rig) {
                request.expectedChecksum = Self.right
                request.expectedDownloadSize = Int64(size)
                let operation = await rig.run(request, answers: [.ok(Data(content.utf8))])
                #expect(mismatch(operation) == .size(expected: Int64(size), actual: 10))
            }
        }
        #expect(rig.folder.contents == [])
        var request = rig.request()
        request.expectedDownloadSize = 3
        #expect(await rig.run(request, answers: [.ok(Data("0123456789".utf8))]).error == nil)
    }

    @Test(arguments: ["56789", "5678X"])
    func `the checksum of a resumed download is that of the whole file`(rest: String) async throws {
        let rig = try DownloadRig()
        await rig.interrupt(rig.request())
        var request = rig.request()
        request.expectedChecksum = Self.sha
        let answer = ScriptedTransport.Answer.respond(
            status: 206, headers: ["Content-Range": "bytes 5-9/10", "ETag": "\"v1\""], body: Data(rest.utf8))
        let operation = await rig.run(request, answers: [answer])
        if rest == "56789" {
            #expect(operation.error == nil)
            #expect(rig.folder.contents == ["file"])
        } else {
            #expect(mismatch(operation) != nil)
            #expect(rig.folder.contents == [])
        }
    }

    @Test
    func `a failed transfer keeps its part, checksum or not`() async throws {
        let rig = try DownloadRig()
        var request = rig.request()
        request.expectedChecksum = Self.right
        await rig.interrupt(request)
        #expect(rig.folder.contents == DownloadRig.partFiles())
    }
}

extension URLRequest {
    fileprivate func with(method: String) -> URLRequest {
        var request = self
        request.httpMethod = method
        return request
    }
}
