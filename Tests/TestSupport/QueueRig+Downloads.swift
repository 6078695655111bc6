import Foundation
import NetworkQueueKit
import NetworkQueueTesting

extension QueueRig where Queue == NetworkQueue {
    /// A queue that has been started, in which a failure cancels no other request.
    package static func started(
        _ transport: ScriptedTransport = ScriptedTransport(),
        configure: (inout NetworkQueue.Configuration) -> Void = { _ in }
    ) -> QueueRig {
        let rig = QueueRig(
            transport,
            configure: {
                $0.cancelsAllOnFailure = false
                configure(&$0)
            })
        rig.queue.go()
        return rig
    }

    /// The part and the sidecar of `name`.
    package static func partFiles(_ name: String = "file") -> [String] {
        ["\(name).nqk.part", "\(name).nqk.part.info"]
    }

    package func request(
        _ path: String = "file", to name: String = "file", onConflict: Destination.ConflictPolicy = .fail,
        resume: Bool = true
    ) -> NetworkRequest {
        var request = NetworkRequest(URL.test(path))
        request.destination = .file(folder.file(name), onConflict: onConflict, resumes: resume)
        return request
    }

    /// Starts a request and waits for its exchange.
    package func start(_ request: NetworkRequest) async -> (RequestOperation, ScriptedExchange) {
        let count = transport.exchanges.count
        let operation = queue.add(request)
        return (operation, await transport.exchange(count))
    }

    /// Waits for the end of an operation.
    package func end(of operation: RequestOperation) async {
        await recorder.wait { events in
            events.contains { event in
                switch event {
                case .didFinish(operation), .didFail(operation, _): true
                default: false
                }
            }
        }
    }

    /// Makes a download that is cut after `content`, of 10 bytes.
    package func interrupt(
        _ request: NetworkRequest, after content: String = "01234", headers: HTTPHeaders = ["ETag": "\"v1\""]
    ) async {
        let (operation, exchange) = await start(request)
        var headers = headers
        headers["Content-Length"] = "10"
        exchange.receive(headers: headers)
        if !content.isEmpty { exchange.receive(Data(content.utf8)) }
        exchange.end(.networkConnectionLost)
        await end(of: operation)
    }

    /// Downloads "0123456789" as far as its fifth byte, and then the rest as `answers` say.
    package func resume(
        _ request: NetworkRequest? = nil, headers: HTTPHeaders = ["ETag": "\"v1\""],
        answers: [ScriptedTransport.Answer]
    ) async -> RequestOperation {
        await interrupt(request ?? self.request(), headers: headers)
        return await run(request ?? self.request(), answers: answers)
    }

    /// Runs a request to its end with one answer for each of its exchanges.
    package func run(_ request: NetworkRequest, answers: [ScriptedTransport.Answer]) async -> RequestOperation {
        let first = transport.exchanges.count
        let operation = queue.add(request)
        for (index, answer) in answers.enumerated() {
            await transport.exchange(first + index).answer(answer)
        }
        await end(of: operation)
        // A later request is then one of another run, which may replace the file.
        if queue.requestCount == 0 { await queue.run() }
        return operation
    }
}

extension ScriptedTransport.Answer {
    /// The bytes from `first` on of 10, of the state that ``QueueRig/interrupt(_:after:headers:)`` has left.
    package static func rest(
        _ body: String = "56789", from first: Int = 5, headers: HTTPHeaders = ["ETag": "\"v1\""]
    ) -> ScriptedTransport.Answer {
        var headers = headers
        headers["Content-Range"] = "bytes \(first)-9/10"
        return .respond(status: 206, headers: headers, body: Data(body.utf8))
    }

    /// A 200 with text and its length.
    package static func ok(_ text: String) -> ScriptedTransport.Answer { .ok(Data(text.utf8)) }

    /// A response with text, and no length but that in `headers`.
    package static func text(_ text: String, status: Int = 200, _ headers: HTTPHeaders = [:])
        -> ScriptedTransport.Answer
    {
        .respond(status: status, headers: headers, body: Data(text.utf8))
    }
}
