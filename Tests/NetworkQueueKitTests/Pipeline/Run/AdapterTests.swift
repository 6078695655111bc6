import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AdapterTests {
    @Test func `Adapters change the request that is sent, the queue's before the request's own`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() }) {
            $0.adapters = [.adapter { request, _ in request.adding("queue", to: "X-Trail") }]
        }
        var request = NetworkRequest(.test("a"))
        request.adapters = ["first", "second"].map { name in
            ClosureAdapter { request, _ in
                await Task.yield()
                return request.adding(name, to: "X-Trail")
            }
        }
        let operation = await rig.run(request)
        #expect(rig.transport.exchanges.map { $0.exchange.headers["X-Trail"] } == ["queue,first,second"])
        #expect(operation.request.urlRequest.value(forHTTPHeaderField: "X-Trail") == nil)
    }

    @Test(arguments: [nil, Data("added".utf8)])
    func `An adapter decides whether there is content, whatever the request had`(content: Data?) async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        rig.queue.adapters = [
            .changing { $0.httpBody = content }
        ]
        var request = URLRequest(url: .test("a"))
        request.httpMethod = "POST"
        request.httpBody = content == nil ? Data("taken away".utf8) : nil
        await rig.run(request)
        #expect(rig.transport.exchanges.map { $0.exchange.body?.length } == [content.map { Int64($0.count) }])
    }

    @Test func `An adapter that changes nothing leaves method, timeout, fields and content as they are`() async throws {
        let rig = QueueRig(ScriptedTransport { _ in .ok() }) { $0.adapters = [.adapter { request, _ in request }] }
        var get = NetworkRequest(.test("get"), method: "GET", body: .data(Data("query".utf8)))
        get.idleTimeout = .seconds(60)
        get.headers.append(name: "X-Twice", value: "1")
        get.headers.append(name: "X-Twice", value: "2")
        var post = NetworkRequest(.test("post"), body: .data(Data("content".utf8)))
        post.idleTimeout = .zero
        rig.queue.add(get)
        await rig.run(post)
        let exchanges = rig.transport.exchanges.map(\.exchange)
        let sent = try #require(exchanges.first { $0.url.path() == "/get" })
        #expect(sent.method == "GET" && sent.body?.length == 5 && sent.idleTimeout == .seconds(60))
        #expect(sent.headers.values(for: "X-Twice") == ["1", "2"])
        let other = try #require(exchanges.first { $0.url.path() == "/post" })
        #expect(other.method == "POST" && other.body?.length == 7 && other.idleTimeout == .seconds(1_000_000_000))
    }

    @Test func `An adapter starts from the original request in each attempt, whatever became of the former`() async {
        let rig = QueueRig(
            ScriptedTransport { exchange in
                exchange.path == "/a/x" ? .status(307, ["Location": "/elsewhere"]) : .fail(.timedOut)
            },
            configure: {
                $0.retryPolicy = .immediate(3)
                $0.adapters = [
                    .changing {
                        $0.addValue("1", forHTTPHeaderField: "X-Trail")
                        $0.url?.append(path: "x")
                    }
                ]
            })
        let operation = await rig.run(.test("a"))
        #expect(
            rig.transport.exchanges.map(\.path) == Array(repeating: ["/a/x", "/elsewhere"], count: 4).flatMap(\.self))
        #expect(rig.transport.exchanges.allSatisfy { $0.exchange.headers["X-Trail"] == "1" })
        #expect(operation.attempts == 4)
    }

    @Test func `An adapter that throws a URLError fails the attempt with it, which the policy may repeat`() async {
        let calls = Gathering<Void>()
        let rig = QueueRig(ScriptedTransport { _ in .ok() }) {
            $0.retryPolicy = .immediate(1)
            $0.adapters = [
                .adapter { request, _ in
                    calls.add(())
                    if calls.values.count == 1 { throw URLError(.timedOut) }
                    return request
                }
            ]
        }
        let operation = await rig.run(.test("a"))
        #expect(rig.recorder.story(of: operation) == ["start", "retry timedOut", "head 200", "finish"])
        #expect(rig.transport.exchanges.count == 1)
    }

    @Test(arguments: [false, true])
    func `An adapter that throws anything else fails the operation and is not asked again`(
        isOwn: Bool
    ) async {
        let thrown: any Error = isOwn ? NetworkError(.authenticationRequired) : Refusal()
        let rig = QueueRig {
            $0.retryPolicy = .immediate(5)
            $0.adapters = [.adapter { _, _ in throw thrown }]
        }
        let operation = await rig.run(.test("a"))
        let code = isOwn ? NetworkError.Code.authenticationRequired : .adapting
        #expect(rig.recorder.story(of: operation) == ["start", "fail \(code)"])
        #expect(isOwn || operation.error?.underlying is Refusal)
        #expect(operation.error?.operationID == operation.id && rig.transport.exchanges.isEmpty)
    }

    @Test func `Cancelling the operation cancels its adapter's task, and the result counts for nothing`() async {
        let entered = Gathering<Void>()
        let returned = Gathering<Bool>()
        let rig = QueueRig(
            configure: {
                $0.adapters = [
                    .adapter { request, _ in
                        entered.add(())
                        while !Task.isCancelled { await Task.yield() }
                        returned.add(true)
                        return request
                    }
                ]
            })
        let operation = rig.queue.add(.test("a"))
        rig.queue.go()
        _ = await entered.wait(count: 1)
        operation.cancel()
        _ = await returned.wait(count: 1)
        await rig.recorder.waitForDrain()
        #expect(rig.transport.exchanges.isEmpty)
        #expect(rig.recorder.story(of: operation) == ["start", "fail cancelled"])
    }

    @Test func `An adapter that leads to an unsupported scheme makes the operation fail`() async {
        let rig = QueueRig(
            configure: {
                $0.adapters = [
                    .changing { $0.url = URL(string: "ftp://host.test/a") }
                ]
            })
        let operation = await rig.run(.test("a"))
        #expect(operation.error?.code == .unsupportedScheme)
    }

    @Test func `An adapter sees sizing requests as they are sent, and may change all of them`() async {
        let seen = Gathering<String>()
        let rig = QueueRig(ScriptedTransport { $0.method == "HEAD" ? .status(403) : .ok() }) {
            $0.showsAccurateProgress = true
            $0.adapters = [
                .adapter { request, context in
                    #expect(context.request.urlRequest.allHTTPHeaderFields == request.allHTTPHeaderFields)
                    #expect(context.request.urlRequest.httpMethod == request.httpMethod)
                    let fields = ["Accept-Encoding", "Range"].map { request.value(forHTTPHeaderField: $0) ?? "-" }
                    seen.add(([request.httpMethod ?? ""] + fields).joined(separator: " "))
                    var request = request
                    if fields[1] != "-" { request.setValue("bytes=0-1", forHTTPHeaderField: "Range") }
                    return request
                }
            ]
        }
        await rig.run(.test("a") { $0.adapters = [.adapter { request, _ in request.adding("o", to: "X-Own") }] })
        #expect(seen.values == ["HEAD identity -", "GET identity bytes=0-0", "GET - -"])
        #expect(rig.transport.exchanges.map { $0.exchange.headers["Range"] } == [nil, "bytes=0-1", nil])
        #expect(rig.transport.exchanges.allSatisfy { $0.exchange.headers["X-Own"] == "o" })
    }
}
