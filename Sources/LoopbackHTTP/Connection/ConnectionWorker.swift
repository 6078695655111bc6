import Foundation

/// Serves one connection on its own thread, from the first request until the connection closes.
struct ConnectionWorker: ~Copyable {
    private let core: ServerCore
    private let index: Int
    private let channel: Channel
    private var reader: RequestReader
    private var output = OutputBuffer()

    /// Must be called on the connection's thread. Fails if TLS has no memory for another connection.
    init?(core: ServerCore, index: Int, descriptor: Int32) {
        var session: TLSSession?
        if let context = core.tls {
            session = TLSSession(context, descriptor: descriptor)
            if session == nil { return nil }
        }
        self.core = core
        self.index = index
        channel = Channel(descriptor: descriptor, stopSignal: core.stopSignal, tls: session)
        reader = RequestReader(channel: channel)
    }

    consuming func run() {
        core.update { [index] in $0.connections.assign(index, to: DetachedThread.current) }
        if let tls = channel.tls, !tls.accept() {
            announceEnd()
            return closeInOrder()
        }
        do {
            while try serveRequest() {}
            announceEnd()
            closeInOrder()
        } catch Disconnection.malformed(let status) {
            refuse(status)
        } catch Disconnection.dropped(.reset) {
            Sockets.resetOnClose(channel.descriptor)
        } catch {
            // Disconnected or dropped: only closing the socket remains, which the caller does.
        }
    }

    /// Reads and answers one request; returns false if it was the last.
    private mutating func serveRequest() throws -> Bool {
        guard let head = try reader.readHead() else { return false }
        var request = ReceivedRequest(head: head, connection: index, receivedAt: .now)
        request.isComplete = head.bodyFraming == .none
        guard let answer = begin(&request) else { return false }

        let response: ScriptedResponse
        switch answer {
        case .response(let scripted):
            response = scripted.answering(head.method)
            if response.readsBody { try readBody(head, response, into: &request) }
        case .handler(let handler):
            try readBody(head, ScriptedResponse(), into: &request)
            response = handler(request).answering(head.method)
        }
        let plan = ResponsePlan(
            response, to: request, allowsKeepAlive: head.allowsKeepAlive && request.isComplete)
        try output.send(plan, over: channel) { [core, index] in
            core.update { $0.connections.finishAnswer(index, closing: plan.closes) }
        }
        return core.update { [index] in $0.connections.becomeIdle(index) }
    }

    /// Records the request and finds its answer; returns `nil` if the connection has just been closed or the server
    /// stopped.
    private func begin(_ request: inout ReceivedRequest) -> Routes.Answer? {
        var entered = request
        defer { request = entered }
        return core.update { [index] state in
            guard !state.isStopped, state.connections.beginAnswer(index) else { return nil }
            state.requestCount += 1
            state.log.add(&entered)
            return state.routes.answer(entered)
        }
    }

    private mutating func readBody(
        _ head: RequestHead, _ response: ScriptedResponse, into request: inout ReceivedRequest
    )
        throws
    {
        for (gate, point) in response.gates where point == .beforeRequestBody { try channel.pass(gate) }
        guard head.bodyFraming != .none else { return }
        if response.answersExpect, head.expectsContinue {
            try output.sendNow("HTTP/1.1 100 Continue\r\n\r\n", over: channel)
        }
        // Log the received part even if the body is cut off.
        defer { core.update { [request] in $0.log.update(request) } }
        try reader.readBody(head.bodyFraming, into: &request)
    }

    private consuming func refuse(_ status: Int) {
        core.update { [index] state in
            state.malformedRequestCount += 1
            state.connections.close(index)
        }
        let reason = StatusPhrase.of(status)
        let head = "HTTP/1.1 \(status) \(reason)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        guard (try? output.sendNow(head, over: channel)) != nil else { return }
        closeInOrder()
    }

    private mutating func closeInOrder() {
        channel.tls?.end()
        Sockets.shutDownSending(channel.descriptor)
        core.update { [index] in $0.connections.noteShutdown(index) }
        channel.drain(&reader.input)
    }

    private func announceEnd() {
        core.update { [index] in $0.connections.close(index) }
    }
}
