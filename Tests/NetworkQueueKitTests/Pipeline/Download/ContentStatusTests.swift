import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// A 2xx is not always the content (RFC 9110, section 15.3), and a 207 is not always a success (RFC 4918, section 13).
@Suite(.timeLimit(.minutes(10)))
struct ContentStatusTests {
    private static let page = Data("<p>One moment</p>".utf8)

    private func answer(_ status: Int, _ headers: HTTPHeaders = [:]) -> ScriptedTransport.Answer {
        var headers = headers
        headers["Content-Length"] = "\(Self.page.count)"
        return .respond(status: status, headers: headers, body: Self.page)
    }

    @Test(arguments: [202, 204, 205], [Destination.ConflictPolicy.overwrite, .keepIfCurrent(otherwise: .overwrite)])
    func `A GET into a file that is answered without the content fails with its page and replaces nothing`(
        status: Int, policy: Destination.ConflictPolicy
    ) async throws {
        let rig = QueueRig.started()
        try rig.folder.write("good", to: "file")
        let operation = await rig.run(rig.request(onConflict: policy), answers: [answer(status)])
        #expect(operation.error?.code == .httpStatus(status))
        #expect(operation.error?.response?.data == Self.page)
        #expect(try rig.folder.read("file") == "good" && rig.folder.contents == ["file"])
    }

    @Test(arguments: [200, 201, 203, 206, 208, 226])
    func `A GET into a file takes the content of any other success`(status: Int) async throws {
        let rig = QueueRig.started()
        let headers: HTTPHeaders =
            status == 206 ? ["Content-Range": "bytes 0-\(Self.page.count - 1)/\(Self.page.count)"] : [:]
        let operation = await rig.run(rig.request(), answers: [answer(status, headers)])
        #expect(operation.error == nil && rig.folder.contents == ["file"])
    }

    @Test(arguments: [202, 204, 205])
    func `Content in memory, and the answer to a request that sends some, may have any 2xx`(status: Int) async throws {
        let rig = QueueRig.started()
        var requests = [NetworkRequest(URL.test("a")), .head(URL.test("a")), rig.request(), .put(URL.test("a"))]
        requests[2].method = "POST"
        requests[2].body = .data(Data("q".utf8))
        requests[3].body = .data(Data("q".utf8))
        for request in requests {
            #expect(await rig.run(request, answers: [answer(status)]).error == nil)
        }
    }

    @Test(arguments: [true, false])
    func `A validation that the caller sets decides, on the request as on the queue`(isOnRequest: Bool) async throws {
        let rig = QueueRig.started { if !isOnRequest { $0.validation = .successStatus } }
        var request = rig.request()
        if isOnRequest { request.validation = .successStatus }
        #expect(await rig.run(request, answers: [answer(202)]).error == nil)
        #expect(try rig.folder.read("file") == String(decoding: Self.page, as: UTF8.self))
        var upload = NetworkRequest.put(URL.test("a"), body: .data(Data("x".utf8)))
        if isOnRequest { upload.validation = .successStatus }
        #expect(await rig.run(upload, answers: [answer(207)]).error == nil)
    }

    @Test func `A 202 is retried only if the server says when`() async throws {
        let rig = QueueRig.started { $0.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.zero)) }
        let promise = await rig.run(
            rig.request("a", to: "a"), answers: [answer(202, ["Retry-After": "0"]), .ok("content")])
        #expect(promise.error == nil && promise.attempts == 2)
        #expect(try rig.folder.read("a") == "content")
        let page = await rig.run(rig.request("b", to: "b"), answers: [answer(202)])
        #expect(page.error?.code == .httpStatus(202) && page.attempts == 1)
    }

    @Test func `A part stays, and no content is joined to it, if the rest is answered with 202`() async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        let later = await rig.run(rig.request(), answers: [answer(202, ["ETag": "\"v2\""])])
        #expect(later.error?.code == .httpStatus(202))
        #expect(rig.folder.contents == QueueRig.partFiles())
        let rest: ScriptedTransport.Answer = .text(
            "56789", status: 206, ["ETag": "\"v1\"", "Content-Range": "bytes 5-9/10"])
        #expect(await rig.run(rig.request(), answers: [rest]).error == nil)
        #expect(try rig.folder.read("file") == "0123456789")
    }

    @Test func `An upload that is answered with 207 fails with what is inside`() async throws {
        let rig = QueueRig.started()
        try rig.folder.write("x", to: "sent")
        let file = RequestBody.file(rig.folder.file("sent"))
        var form = MultipartForm()
        form.append("1", name: "a")
        for request in [
            NetworkRequest.put(URL.test("a"), body: .data(Data("x".utf8))), .put(URL.test("a"), body: file),
            .post(URL.test("a"), body: file), .post(URL.test("a"), body: .multipart(form)),
        ] {
            let operation = await rig.run(request, answers: [answer(207)])
            #expect(operation.error?.code == .httpStatus(207))
            #expect(operation.error?.response?.data == Self.page)
        }
        // The answer that these ask for.
        var search = NetworkRequest(URL.test("a"), method: "PROPFIND", body: .data(Data("<propfind/>".utf8)))
        #expect(await rig.run(search, answers: [answer(207)]).error == nil)
        search.method = "POST"
        #expect(await rig.run(search, answers: [answer(207)]).error == nil)
    }
}
