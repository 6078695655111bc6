import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// What is sent to a fresh URL, and what keeps the original one.
@Suite(.timeLimit(.minutes(10)))
struct FreshURLUseTests {
    private func other(_ path: String) throws -> URL { try #require(URL(string: "http://other.test/\(path)")) }

    // MARK: Other origins

    @Test func `Credentials, Authorization and Cookie do not go to a fresh URL of another origin`() async throws {
        let rig = QueueRig(.refusingOld()) {
            $0.headers = ["Authorization": "Bearer queue", "X-Queue": "1"]
            $0.authenticator = TestAuthenticator(field: "X-Token")
        }
        let links = FreshLinks(url: try other("fresh"))
        let operation = await rig.run(
            links.request {
                $0.headers = ["Cookie": "a=1", "X-Own": "1"]
                $0.credential = URLCredential(user: "u", password: "p", persistence: .none)
            })
        #expect(operation.error == nil)
        let sent = rig.transport.exchanges.map(\.exchange.headers)
        #expect(sent[0].contains("Authorization") && sent[0]["Cookie"] == "a=1" && sent[0].contains("X-Token"))
        for name in ["Authorization", "Cookie", "X-Token"] { #expect(!sent[1].contains(name), "\(name)") }
        #expect(sent[1]["X-Own"] == "1" && sent[1]["X-Queue"] == "1")
    }

    @Test func `A fresh URL of the same origin gets them, also after one of another`() async throws {
        let away = try other("old")
        let links = FreshLinks { $0 == 1 ? away : .test("fresh") }
        let rig = QueueRig(.refusingOld())
        let operation = await rig.run(
            links.request {
                $0.headers = ["Cookie": "a=1"]
                $0.credential = URLCredential(user: "u", password: "p", persistence: .none)
            })
        #expect(operation.error == nil)
        #expect(rig.transport.exchanges.map { $0.exchange.headers["Cookie"] } == ["a=1", nil, "a=1"])
        #expect(rig.transport.exchanges.map { $0.exchange.headers.contains("Authorization") } == [true, false, true])
    }

    @Test func `A name and a password in a fresh URL are sent to it`() async throws {
        let rig = QueueRig(.refusingOld())
        let url = try #require(URL(string: "http://me:pass@other.test/fresh"))
        await rig.run(FreshLinks(url: url).request())
        let sent = rig.transport.exchanges[1].exchange
        #expect(sent.headers["Authorization"] == "Basic \(Data("me:pass".utf8).base64EncodedString())")
        #expect(sent.url.absoluteString == "http://other.test/fresh")
    }

    @Test func `A request counts for the host of its fresh URL`() async throws {
        let rig = QueueRig(
            ScriptedTransport { $0.path == "/old" ? .status(403) : .hold },
            configure: {
                $0.maxConcurrentRequestCount = 4
                $0.maxConcurrentRequestCountPerHost = 1
            })
        rig.queue.add(FreshLinks(url: try other("fresh")).request())
        rig.queue.go()
        let fresh = await rig.transport.exchange(1)
        rig.queue.add(contentsOf: [NetworkRequest(try other("blocked")), NetworkRequest(.test("free"))])
        let free = await rig.transport.exchange(2)
        rig.settle()
        #expect(rig.transport.paths == ["/old", "/fresh", "/free"])
        fresh.answer(.ok())
        await rig.transport.exchange(3).answer(.ok())
        free.answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(rig.transport.paths.last == "/blocked")
    }

    // MARK: The original URL

    @Test func `Records, errors and the search for duplicates keep the original URL`() async throws {
        let rig = QueueRig.requestQueue(ScriptedTransport { $0.path == "/old" ? .status(403) : .hold })
        let links = FreshLinks(url: try other("fresh"))
        let operation = rig.make(links.request())
        rig.queue.add(operation)
        let exchange = await rig.transport.exchange(1)
        let record = try #require(rig.queue.unfinishedRecords.first)
        #expect(NetworkRequest(record).url == .test("old") && record.omissions == ["freshURL"])
        #expect(operation.request.isEquivalent(to: NetworkRequest(.test("old"))))
        exchange.answer(.status(404))
        _ = await rig.texts(1)
        #expect(operation.error?.url == .test("old"))
        #expect(try operation.error?.response?.head.url == other("fresh"))
    }

    // MARK: Content

    @Test(arguments: [nil, "key"])
    func `A download goes on from its part at the fresh URL, and so does a later run`(key: String?) async throws {
        let rig = QueueRig.started { $0.retryPolicy = .immediate(1) }
        let links = FreshLinks(url: try other("fresh"))
        var request = rig.request("old")
        request.freshURL = links.closure
        request.resumeKey = key
        let operation = rig.queue.add(request)
        let first = await rig.transport.exchange(0)
        first.receive(headers: ["ETag": "\"v1\"", "Content-Length": "10"])
        first.receive(Data("01234".utf8))
        first.end(.networkConnectionLost)
        await rig.transport.exchange(1).answer(.status(403))
        let second = await rig.transport.exchange(2)
        #expect(try second.exchange.url == other("fresh"))
        #expect(second.exchange.headers["Range"] == "bytes=5-" && second.exchange.headers["If-Range"] == "\"v1\"")
        second.receive(
            status: 206, headers: ["ETag": "\"v1\"", "Content-Range": "bytes 5-9/10", "Content-Length": "5"])
        second.receive(Data("56".utf8))
        operation.cancel()
        await rig.end(of: operation)
        request.freshURL = nil
        let later = await rig.run(request, answers: [.rest("789", from: 7)])
        #expect(rig.transport.exchanges[3].exchange.headers["Range"] == "bytes=7-")
        #expect(later.error == nil)
        #expect(try rig.folder.read("file") == "0123456789")
    }

    @Test func `A download starts over if the validators at the fresh URL do not fit its part`() async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request("old"))
        var request = rig.request("old")
        request.freshURL = FreshLinks(url: try other("fresh")).closure
        let other = ScriptedTransport.Answer.text("abcdefghij", ["ETag": "\"v2\"", "Content-Length": "10"])
        let operation = await rig.run(request, answers: [.status(403), other])
        #expect(rig.transport.exchanges[2].exchange.headers["If-Range"] == "\"v1\"")
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == "abcdefghij")
    }

    @Test func `An upload starts over at the fresh URL`() async throws {
        let content = Data("content".utf8)
        let rig = QueueRig(.refusingOld())
        let links = FreshLinks()
        let operation = await rig.run(
            links.request {
                $0.method = "POST"
                $0.body = .data(content)
            })
        #expect(operation.error == nil)
        let sent = rig.transport.exchanges.map(\.exchange)
        #expect(sent.map { "\($0.method) \($0.path)" } == ["POST /old", "POST /fresh1"])
        #expect(try sent.allSatisfy { try $0.content == content })
    }

    @Test func `A request that is run again begins at its own URL`() async {
        let rig = QueueRig(ScriptedTransport { $0.path == "/old" ? .status(403) : .status(404) })
        await rig.run(FreshLinks().request())
        rig.queue.retryFailed()
        await rig.recorder.waitForDrain(2)
        #expect(rig.transport.paths == ["/old", "/fresh1", "/old", "/fresh2"])
    }
}
