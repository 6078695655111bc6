import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// `NetworkRequest.Record`, `unfinishedRecords`, `resumeKey` and `PartialDownload`.
@Suite(.timeLimit(.minutes(10)))
struct RecordTests {
    private final class Sink: DownloadSink {
        func write(_ chunk: Data) async throws {}
    }

    private func read(_ request: NetworkRequest) throws -> (NetworkRequest, [String]) {
        let data = try JSONEncoder().encode(request.record)
        let record = try JSONDecoder().decode(NetworkRequest.Record.self, from: data)
        #expect(record == request.record)
        return (NetworkRequest(record), record.omissions)
    }

    @Test func `An upload by tus is written down as one`() throws {
        let request = NetworkRequest.upload(URL(filePath: "/tmp/a"), to: .test("files"), protocol: .tus)
        let (same, omissions) = try read(request)
        #expect(omissions == [] && same.isEquivalent(to: request) && same.uploadProtocol == .tus)
        #expect(try read(.upload(URL(filePath: "/tmp/a"), to: .test("files"))).0.uploadProtocol == .put)
    }

    @Test func `A request that is written down and read again is the same`() throws {
        var form = MultipartForm()
        form.append("v", name: "n")
        form.append(file: URL(filePath: "/tmp/a"), name: "f")
        let bodies: [RequestBody?] = [
            nil, .data(Data("x".utf8), contentType: "text/plain"), .file(URL(filePath: "/tmp/a")), .multipart(form),
        ]
        for body in bodies {
            var request = NetworkRequest(
                .test("a?b=%2f"), method: "PUT", headers: ["X-A": "1", "x-a": "2"], body: body,
                destination: .file(
                    URL(filePath: "/tmp/b"), onConflict: .keepIfCurrent(otherwise: .rename), resumes: false))
            request.idleTimeout = .seconds(1.5)
            request.totalTimeout = .seconds(60)
            request.priority = .veryHigh
            request.expectedDownloadSize = 1
            request.estimatedDownloadSize = 2
            request.expectedChecksum = .sha1("da39a3ee5e6b4b0d3255bfef95601890afd80709")
            request.acceptsCompressed = true
            request.maxDecodedSize = 3
            request.usesSuggestedFileName = true
            request.validation = .contentTypes(["image/*"]).and(.statusCodes([200, 202]))
            request.retryPolicy = .standard
            request.retryPolicy?.outageTolerance = .seconds(7)
            request.resumeKey = "key"
            request.tag = "tag"
            request.stage = -3
            request.minBytesPerSecond = 4096
            request.uploadCondition = .ifDifferent
            let (same, omissions) = try read(request)
            #expect(omissions == [] && same.isEquivalent(to: request))
            #expect(Array(same.headers) == Array(request.headers) && same.destination == request.destination)
            #expect(same.body == request.body && same.idleTimeout == request.idleTimeout)
            #expect(same.totalTimeout == request.totalTimeout && same.priority == request.priority)
            #expect(same.expectedDownloadSize == 1 && same.estimatedDownloadSize == 2 && same.maxDecodedSize == 3)
            #expect(same.expectedChecksum == request.expectedChecksum && same.acceptsCompressed)
            #expect(same.usesSuggestedFileName && same.validation == request.validation)
            #expect(same.retryPolicy == request.retryPolicy && same.resumeKey == "key" && same.tag == "tag")
            #expect(same.stage == -3 && same.minBytesPerSecond == 4096 && same.uploadCondition == .ifDifferent)
        }
    }

    @Test func `A record that was written by 0.1.0 is read, and a request without a stage writes none`() throws {
        let text = #"""
            {"url": "http://host.test/a", "headers": [{"name": "X-A", "value": "1"}], "omissions": ["credential"],
            "destination": {"discard": {}}, "priority": 3, "sendsCredentialUnasked": true, "acceptsCompressed": false,
            "maxDecodedSize": 1073741824, "usesSuggestedFileName": false, "tag": "t", "resumeKey": "k",
            "expectedDownloadSize": 7, "validation": [{"successStatus": {}}]}
            """#
        let record = try JSONDecoder().decode(NetworkRequest.Record.self, from: Data(text.utf8))
        let request = NetworkRequest(record)
        #expect(request.url == .test("a") && request.headers["X-A"] == "1" && request.destination == .discard)
        #expect(request.priority == .high && request.tag == "t" && request.resumeKey == "k" && request.stage == 0)
        #expect(request.expectedDownloadSize == 7 && record.omissions == ["credential"] && !record.isPaused)
        let written = try JSONSerialization.jsonObject(with: JSONEncoder().encode(request.record)) as? [String: Any]
        #expect(written?["url"] != nil && written?["stage"] == nil && written?["minBytesPerSecond"] == nil)
    }

    @Test func `A record has no secret and names what it cannot have`() throws {
        var request = NetworkRequest(
            try #require(URL(string: "http://me:geheim@host.test/a")),
            headers: ["Authorization": "Bearer geheim", "X-A": "1"],
            body: .stream(length: 1) { _, _ in Data("x".utf8) }, destination: .sink(Sink()))
        request.credential = URLCredential(user: "me", password: "geheim", persistence: .none)
        request.validation = .custom { _ in }
        request.adapters = [.adapter { request, _ in request }]
        request.processors = [.processor { response, _ in response }]
        request.retryDecider = .decider { _, _ in .fail }
        request.freshURL = { _, _ in nil }
        request.userInfo = ["a": "geheim"]
        let (other, omissions) = try read(request)
        #expect(
            Set(omissions) == [
                "url", "headers", "body", "destination", "credential", "validation", "adapters", "processors",
                "retryDecider", "freshURL", "userInfo",
            ])
        #expect(other.url == .test("a") && Array(other.headers).map(\.name) == ["X-A"])
        let text = String(decoding: try JSONEncoder().encode(request.record), as: UTF8.self)
        #expect(!text.contains("geheim"))
        var old = URLRequest(url: .test("a"))
        old.httpMethod = "POST"
        old.httpBody = Data("content".utf8)
        let (restored, settings) = try read(NetworkRequest(old))
        #expect(settings == ["urlRequest"] && restored.method == "POST" && restored.body == .data(Data("content".utf8)))
        let large = NetworkRequest.put(.test("a"), body: .data(Data(count: 1024 * 1024 + 1)))
        #expect(large.record.omissions == ["body"])
    }

    @Test func `The unfinished records of a queue are what runs and what waits, in order`() async throws {
        let transport = ScriptedTransport()
        let queue = RequestQueue(transport: transport)
        queue.maxConcurrentRequestCount = 1
        let operations = queue.add(contentsOf: ["a", "b", "c"].map { .get(.test($0)) })
        await transport.waitForExchanges(1)
        operations[2].priority = .high
        #expect(queue.unfinishedRecords.map { NetworkRequest($0).url } == [.test("a"), .test("c"), .test("b")])
        queue.cancelAll()
        await queue.waitUntilEmpty()
        #expect(queue.unfinishedRecords.isEmpty)
    }

    @Test(arguments: [QueueMode.firstInFirstOut, .lastInFirstOut])
    func `The unfinished records of a queue whose requests are paused begin with those that had been started`(
        mode: QueueMode
    ) async throws {
        let rig = QueueRig(configure: {
            $0.maxConcurrentRequestCount = 3
            $0.mode = mode
            $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(9)))
        })
        let operations = rig.add(6)
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        // One waits for a retry, and gives its slot to another.
        rig.transport.exchanges[1].end(.timedOut)
        await rig.transport.waitForExchanges(4)
        rig.queue.pauseAll()
        await rig.transport.wait { $0.isQuiet }
        rig.settle()
        #expect(operations.count { $0.status == .paused } == 3)
        let paths = rig.queue.unfinishedRecords.map { NetworkRequest($0).url.path() }
        let inOrder = (0..<6).map { "/\($0)" }
        #expect(paths == (mode == .firstInFirstOut ? inOrder : inOrder.reversed()))
    }

    @Test func `What was paused singly is paused when its record is added, and sends nothing`() async throws {
        let transport = ScriptedTransport()
        let rig = QueueRig(transport)
        let operations = rig.queue.add(contentsOf: ["a", "b", "c"].map { NetworkRequest.get(.test($0)) })
        rig.queue.go()
        await transport.waitForExchanges(3)
        operations[1].pause()
        rig.queue.pauseAll()
        #expect(await eventually { operations.allSatisfy { $0.status == .paused } })
        let data = try JSONEncoder().encode(rig.queue.unfinishedRecords)
        let records = try JSONDecoder().decode([NetworkRequest.Record].self, from: data)
        #expect(Set(records.filter(\.isPaused).map { NetworkRequest($0).url }) == [.test("b")])
        rig.queue.cancelAll()

        let next = QueueRig(ScriptedTransport { _ in .ok() })
        next.queue.go()
        await next.recorder.waitForDrain()
        let added = next.queue.add(contentsOf: records)
        let paused = try #require(added.first { $0.request.url == .test("b") })
        #expect(await eventually { added.filter { $0.status == .finished }.count == 2 })
        #expect(paused.status == .paused && next.queue.progress.counts.paused == 1)
        #expect(!next.transport.exchanges.contains { $0.exchange.url == .test("b") })
        paused.resume()
        await next.recorder.waitForDrain(2)
        #expect(added.allSatisfy { $0.status == .finished })

        // Also in a queue that starts at once, and of a record that does not know it.
        let waiting = RequestQueue(transport: ScriptedTransport())
        #expect(waiting.add(contentsOf: records).map(\.status).filter { $0 == .paused }.count == 1)
        waiting.cancelAll()
        let plain = String(decoding: try JSONEncoder().encode(NetworkRequest.get(.test("a")).record), as: UTF8.self)
        #expect(!plain.contains("paused"))
    }

    /// A download of which something has come before its connection was lost.
    private func cut(_ request: NetworkRequest, _ transport: ScriptedTransport) async throws {
        let operation = RequestQueue(transport: transport).add(request)
        let exchange = await transport.exchange(0)
        exchange.receive(headers: ["Content-Length": "200000", "ETag": "\"1\""])
        exchange.receive(Data(count: 150_000))
        exchange.end(.networkConnectionLost)
        await #expect(throws: NetworkError.self) { try await operation.response() }
    }

    @Test func `A part is found by its key where the URL has changed`() async throws {
        let folder = try TemporaryFolder()
        let transport = ScriptedTransport()
        var request = NetworkRequest.download(.test("a?signature=1"), to: folder.file("a"))
        request.resumeKey = "a"
        try await cut(request, transport)
        request.url = .test("a?signature=2")
        let operation = RequestQueue(transport: transport).add(request)
        let exchange = await transport.exchange(1)
        #expect(exchange.exchange.headers["Range"] == "bytes=150000-")
        exchange.receive(
            status: 206,
            headers: ["Content-Length": "50000", "ETag": "\"1\"", "Content-Range": "bytes 150000-199999/200000"])
        exchange.receive(Data(count: 50_000))
        exchange.end()
        _ = try await operation.response()
        #expect(try Data(contentsOf: folder.file("a")) == Data(count: 200_000))
        // Another key is another content.
        try FileManager.default.removeItem(at: folder.file("a"))
    }

    @Test func `What an interrupted download has left can be removed`() async throws {
        let folder = try TemporaryFolder()
        let transport = ScriptedTransport()
        try await cut(.download(.test("a"), to: folder.file("a")), transport)
        #expect(folder.contents == ["a.nqk.part", "a.nqk.part.info"])
        #expect(PartialDownload.remove(for: folder.file("a")))
        #expect(folder.contents == [] && !PartialDownload.remove(for: folder.file("a")))
    }
}
