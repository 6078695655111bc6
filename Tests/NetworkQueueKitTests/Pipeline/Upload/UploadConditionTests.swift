import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct UploadConditionTests {
    private static let content = Data("content".utf8)

    /// A PUT of seven bytes.
    private func put(
        _ condition: NetworkRequest.UploadCondition, _ change: (inout NetworkRequest) -> Void = { _ in }
    ) -> NetworkRequest {
        .test("f") {
            $0.method = "PUT"
            $0.body = .data(Self.content)
            $0.uploadCondition = condition
            change(&$0)
        }
    }

    private func rig(_ head: ScriptedTransport.Answer, put: ScriptedTransport.Answer = .ok()) -> QueueRig<NetworkQueue>
    {
        QueueRig(ScriptedTransport { $0.method == "HEAD" ? head : put })
    }

    // MARK: The table

    struct Row: Sendable, CustomStringConvertible {
        let condition: NetworkRequest.UploadCondition
        let status: Int
        var headers: HTTPHeaders = [:]
        let sends: String
        var isLogged = false

        var description: String { "\(condition) \(status) \(headers.map(\.value)) \(sends)" }
    }

    private static let always = [200, 404, 412, 503].map { Row(condition: .always, status: $0, sends: "PUT") }
    private static let ifMissing =
        [200].map { Row(condition: .ifMissing, status: $0, headers: ["Content-Length": "7"], sends: "HEAD") }
        + [200].map { Row(condition: .ifMissing, status: $0, sends: "HEAD") }
        + [404].map { Row(condition: .ifMissing, status: $0, sends: "HEAD PUT *") }
        + [401, 403, 405, 410, 412, 500, 501, 503, 204].map {
            Row(condition: .ifMissing, status: $0, sends: "HEAD PUT *", isLogged: true)
        }
    private static let ifDifferent =
        [404].map { Row(condition: .ifDifferent, status: $0, sends: "HEAD PUT") }
        + [401, 403, 405, 410, 412, 500, 501, 503, 204].map {
            Row(
                condition: .ifDifferent, status: $0, headers: ["Content-Length": "7"], sends: "HEAD PUT", isLogged: true
            )
        }
        + [
            ([:], "HEAD PUT", true),
            (["Content-Length": "8"], "HEAD PUT", false),
            (["Content-Length": "8", "ETag": same.etag], "HEAD PUT", false),
            (["Content-Length": "7"], "HEAD PUT", true),
            (["Content-Length": "7", "ETag": same.etag], "HEAD", false),
            (["Content-Length": "7", "ETag": "W/" + same.etag], "HEAD PUT", true),
            (["Content-Length": "7", "ETag": "\"0\(same.etag.dropFirst(2))"], "HEAD PUT", false),
            (["Content-Length": "7", "ETag": "\"1-2\""], "HEAD PUT", true),
            (["Content-Length": "7", "Content-MD5": same.md5], "HEAD", false),
            (["Content-Length": "7", "Content-MD5": "MDEyMzQ1Njc4OTAxMjM0NQ=="], "HEAD PUT", false),
            // A digest that differs says more than a tag that is the same.
            (["Content-Length": "7", "Content-MD5": "MDEyMzQ1Njc4OTAxMjM0NQ==", "ETag": same.etag], "HEAD PUT", false),
            (["Content-Length": "7", "Content-MD5": "short"], "HEAD PUT", true),
            (["Content-Length": "7", "Repr-Digest": "md5=:AAAA:, sha-256=:\(same.sha256):"], "HEAD", false),
            (
                ["Content-Length": "7", "Repr-Digest": "sha-256=:\(same.sha256):", "Content-Encoding": "gzip"],
                "HEAD PUT", true
            ),
            // Content in memory has no date.
            (["Content-Length": "7", "Last-Modified": "Wed, 21 Oct 2099 07:28:00 GMT"], "HEAD PUT", true),
        ].map { Row(condition: .ifDifferent, status: 200, headers: $0.0, sends: $0.1, isLogged: $0.2) }

    private static let same = (
        etag: "\"9a0364b9e99bb480dd25e1f0284c8555\"", md5: "mgNkuembtIDdJeHwKEyFVQ==",
        sha256: "7XACtDnprIRfIjV9giusFERzD722AW0+yUMil7nsn3M="
    )

    @Test(arguments: always + ifMissing + ifDifferent)
    func `The response to HEAD decides what is sent`(row: Row) async {
        let log = Gathering<String>()
        let rig = QueueRig(
            ScriptedTransport { $0.method == "HEAD" ? .status(row.status, row.headers) : .ok() },
            configure: { $0.monitors = [EventLogger { log.add($0) }] })
        let operation = await rig.run(put(row.condition))
        let sent = rig.transport.exchanges.map { exchange in
            exchange.exchange.method + (exchange.exchange.headers["If-None-Match"].map { " " + $0 } ?? "")
        }
        #expect(sent.joined(separator: " ") == row.sends)
        #expect(operation.status == .finished && operation.attempts == 1)
        #expect(operation.wasKept == (row.sends == "HEAD"))
        #expect(log.values.contains { $0.contains("does not tell") } == row.isLogged)
        let progress = rig.queue.progress
        #expect(row.sends != "HEAD" || progress.upload.transferred == 7 && progress.upload.expected == 7)
        #expect(row.sends != "HEAD" || rig.recorder.summaries.first?.bytesSent == 0)
    }

    @Test func `The HEAD has nothing of the content, and what an adapter and the queue add`() async {
        let rig = QueueRig(
            ScriptedTransport { $0.method == "HEAD" ? .status(404) : .ok() }, configure: { $0.headers = ["X-A": "1"] })
        _ = await rig.run(
            put(.ifDifferent) {
                $0.headers = ["Content-Type": "text/plain", "If-Match": "\"x\"", "X-B": "2"]
                $0.adapters = [Named()]
            })
        let (head, put) = (rig.transport.exchanges[0].exchange, rig.transport.exchanges[1].exchange)
        #expect(head.body == nil && head.headers["Content-Type"] == nil && head.headers["If-Match"] == nil)
        #expect(head.headers["X-A"] == "1" && head.headers["X-B"] == "2" && head.headers["X-Method"] == "HEAD")
        #expect(head.headers["Accept-Encoding"] == "identity")
        #expect(put.headers["X-Method"] == "PUT" && put.headers["If-Match"] == "\"x\"")
    }

    private struct Named: RequestAdapter {
        func adapt(_ request: URLRequest, in context: AttemptContext) async throws -> URLRequest {
            var request = request
            request.setValue(request.httpMethod, forHTTPHeaderField: "X-Method")
            return request
        }
    }

    // MARK: Dates of files

    @Test func `A file is the same if the server's date is not before its latest change`() async throws {
        let rig = rig(.status(404))
        let file = try rig.folder.write(Self.content, to: "f")
        func sends(after seconds: Int) async -> Bool {
            let date = HTTPDate.text(Date(timeIntervalSince1970: Double(seconds)))
            rig.transport.setScript {
                $0.method == "HEAD" ? .status(200, ["Content-Length": "7", "Last-Modified": date]) : .ok()
            }
            let operation = await rig.run(put(.ifDifferent) { $0.body = .file(file) })
            return operation.wasKept == false
        }
        var status = stat()
        #expect(stat(file.path(percentEncoded: false), &status) == 0)
        let changed = Int(status.changeTime.tv_sec)
        #expect(await sends(after: changed - 1))
        #expect(await sends(after: changed) == (status.changeTime.tv_nsec > 0))
        #expect(await !sends(after: changed + 1))
        // An older content with a date of its own, as `cp -p` makes: the change of its status is what shows it.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: file.path(percentEncoded: false))
        #expect(await sends(after: changed - 1))
        #expect(await !sends(after: changed + 86_400))
    }

    // MARK: 412 and lost answers

    @Test func `A 412 means that the server has something, which is kept`() async {
        let rig = rig(.status(405), put: .status(412))
        let operation = await rig.run(put(.ifMissing))
        #expect(operation.wasKept == true && operation.responseHead?.statusCode == 412)
        #expect(await self.rig(.status(405), put: .status(412)).run(put(.ifDifferent)).error?.code == .httpStatus(412))
    }

    @Test(arguments: [
        (ScriptedTransport.Answer.status(200, ["Content-Length": "7"]), true),
        (.status(200, ["Content-Length": "8"]), false), (.status(200), false), (.status(404), false),
        (.status(405), false),
    ])
    func `After a lost answer, a 412 leads to a HEAD that decides`(
        answer: ScriptedTransport.Answer, isWell: Bool
    ) async {
        let rig = QueueRig(configure: { $0.retryPolicy = .immediate(1) })
        let operation = rig.queue.add(put(.ifMissing))
        rig.queue.go()
        await rig.transport.exchange(0).answer(.status(404))
        let first = await rig.transport.exchange(1)
        first.send(7)
        first.end(.networkConnectionLost)
        let second = await rig.transport.exchange(2)
        #expect(second.exchange.method == "PUT" && second.exchange.headers["If-None-Match"] == "*")
        second.answer(.status(412))
        let question = await rig.transport.exchange(3)
        #expect(question.exchange.method == "HEAD")
        question.answer(answer)
        await rig.recorder.waitForDrain()
        #expect(operation.error?.code == (isWell ? nil : .httpStatus(412)))
        #expect(operation.wasKept == (isWell ? false : nil))
    }

    @Test func `After a connection that was refused, a 412 means that the server has something`() async {
        let rig = QueueRig(configure: { $0.retryPolicy = .immediate(1) })
        let operation = rig.queue.add(put(.ifMissing))
        rig.queue.go()
        await rig.transport.exchange(0).answer(.status(404))
        await rig.transport.exchange(1).answer(.fail(.cannotConnectToHost))
        await rig.transport.exchange(2).answer(.status(412))
        await rig.recorder.waitForDrain()
        #expect(operation.wasKept == true)
    }

    @Test func `A HEAD that is lost is retried, and one that is answered is not repeated`() async {
        let rig = QueueRig(configure: { $0.retryPolicy = .immediate(2) })
        let operation = rig.queue.add(put(.ifDifferent))
        rig.queue.go()
        await rig.transport.exchange(0).answer(.fail(.timedOut))
        await rig.transport.exchange(1).answer(.status(404))
        await rig.transport.exchange(2).answer(.status(503))
        await rig.transport.exchange(3).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(rig.transport.exchanges.map(\.exchange.method) == ["HEAD", "HEAD", "PUT", "PUT"])
        #expect(operation.attempts == 3 && operation.status == .finished)
    }

    // MARK: The rest

    @Test func `Only a PUT can have a condition`() async {
        let rig = rig(.ok())
        let error = await rig.run(put(.ifMissing) { $0.method = "POST" }).error
        #expect(error?.code == .unsupportedConfiguration && rig.transport.exchanges.isEmpty)
        #expect(error?.description.contains("Only a PUT has an upload condition.") == true)
    }

    @Test func `A HEAD follows redirects and answers challenges, and the PUT after it begins anew`() async {
        let rig = QueueRig(
            ScriptedTransport { exchange in
                if exchange.path == "/f", exchange.method == "HEAD" { return .status(302, ["Location": "/g"]) }
                if exchange.headers["Authorization"] == nil {
                    return .status(401, ["WWW-Authenticate": "Basic realm=\"r\""])
                }
                return exchange.method == "HEAD" ? .status(404) : .ok()
            }, credential: { _ in .user("p") })
        let operation = await rig.run(put(.ifMissing))
        #expect(operation.status == .finished)
        #expect(
            rig.transport.exchanges.map { "\($0.exchange.method) \($0.path)" } == [
                "HEAD /f", "HEAD /g", "HEAD /g", "PUT /f",
            ])
    }

    @Test func `A RequestQueue asks in the operation's own slot`() async {
        let rig = QueueRig.requestQueue(ScriptedTransport { $0.method == "HEAD" ? .status(200) : .ok() })
        rig.queue.add(rig.make(put(.ifMissing)))
        #expect(await rig.texts(1).count == 1)
        #expect(rig.transport.exchanges.map(\.exchange.method) == ["HEAD"])
    }

    @Test func `A pause during the HEAD begins with another one`() async {
        let rig = QueueRig()
        let operation = rig.queue.add(put(.ifMissing))
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        operation.pause()
        rig.settle()
        operation.resume()
        await rig.transport.exchange(1).answer(.status(200))
        await rig.recorder.waitForDrain()
        #expect(operation.wasKept == true)
    }

    /// A file without blocks that takes an hour to hash.
    private func writeHugeFile(in folder: TemporaryFolder) throws -> (file: URL, size: Int64) {
        let file = try folder.write(Data(), to: "huge")
        let size: Int64 = 1 << 42
        #expect(truncate(file.path(percentEncoded: false), off_t(size)) == 0)
        return (file, size)
    }

    @Test func `A pause while a file is hashed frees the slot, and the HEAD is sent again`() async throws {
        let rig = QueueRig(configure: { $0.queueSettings.maxConcurrentRequestCount = 1 })
        let (file, size) = try writeHugeFile(in: rig.folder)
        let operation = rig.queue.add(put(.ifDifferent) { $0.body = .file(file) })
        let other = rig.add(1)[0]
        rig.queue.go()
        await rig.transport.exchange(0).answer(
            .status(200, ["Content-Length": "\(size)", "Content-MD5": Self.same.md5]))
        operation.pause()
        await rig.transport.exchange(1).answer(.ok())
        await rig.end(of: other)
        #expect(operation.status == .paused)
        operation.resume()
        await rig.transport.exchange(2).answer(.status(404))
        await rig.transport.exchange(3).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(rig.transport.exchanges.map(\.exchange.method) == ["HEAD", "GET", "HEAD", "PUT"])
        #expect(operation.status == .finished && operation.attempts == 1 && operation.metrics?.attempts == 1)
    }

    @Test func `A cancellation while a file is hashed frees the slot`() async throws {
        let rig = QueueRig(configure: { $0.queueSettings.maxConcurrentRequestCount = 1 })
        let (file, size) = try writeHugeFile(in: rig.folder)
        let operation = rig.queue.add(put(.ifDifferent) { $0.body = .file(file) })
        rig.add(1)
        rig.queue.go()
        await rig.transport.exchange(0).answer(
            .status(200, ["Content-Length": "\(size)", "Content-MD5": Self.same.md5]))
        operation.cancel()
        await rig.transport.exchange(1).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(operation.status == .cancelled)
    }

    @Test func `A pause while a file that is there is hashed frees the slot, too`() async throws {
        let rig = QueueRig(configure: { $0.queueSettings.maxConcurrentRequestCount = 1 })
        let (file, _) = try writeHugeFile(in: rig.folder)
        let operation = rig.queue.add(
            .test("f") {
                $0.destination = .file(file, onConflict: .keepIfCurrent(otherwise: .fail))
                $0.expectedChecksum = .sha256(String(repeating: "0", count: 64))
            })
        let other = rig.add(1)[0]
        rig.queue.go()
        operation.pause()
        await rig.transport.exchange(0).answer(.ok())
        await rig.end(of: other)
        #expect(operation.status == .paused)
        operation.cancel()
        await rig.recorder.waitForDrain()
        #expect(operation.status == .cancelled && rig.transport.exchanges.count == 1)
    }

    @Test(arguments: [
        ("/g", "HEAD PUT *"), ("https://other.test/login?to=/f", "HEAD PUT *"), ("https://other.test/f", "HEAD"),
        ("/f?again", "HEAD"),
    ])
    func `What a redirect leads to at another path is not what was asked for`(
        target: String, sends: String
    ) async {
        let rig = QueueRig(
            ScriptedTransport { exchange in
                if exchange.method == "PUT" { return .ok() }
                return "\(exchange.url)" == "\(URL.test("f"))" ? .status(302, ["Location": target]) : .status(200)
            })
        let operation = await rig.run(put(.ifMissing))
        let sent = rig.transport.exchanges.dropFirst().map { exchange in
            exchange.exchange.method + (exchange.exchange.headers["If-None-Match"].map { " " + $0 } ?? "")
        }
        #expect(sent.joined(separator: " ") == sends && operation.wasKept == (sends == "HEAD"))
    }

    @Test func `A cancellation during the HEAD ends the request`() async {
        let rig = QueueRig()
        let operation = rig.queue.add(put(.ifMissing))
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        operation.cancel()
        await rig.recorder.waitForDrain()
        #expect(operation.status == .cancelled && rig.transport.exchanges.count == 1)
    }
}

extension RequestOperation {
    /// Whether nothing was sent or stored; `nil` for a failure.
    fileprivate var wasKept: Bool? { try? result?.get().wasKept }
}
