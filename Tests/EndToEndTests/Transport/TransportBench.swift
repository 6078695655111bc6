import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// A transport and a server for one test.
struct TransportBench {
    let kind: TransportKind
    let server: LoopbackServer
    let transport: any Transport

    init(_ kind: TransportKind, _ configuration: TransportConfiguration = .patient) throws {
        self.kind = kind
        server = try LoopbackServer()
        transport = try kind.makeTransport(configuration)
    }

    /// An exchange with a path of the server.
    func exchange(
        _ path: String = "/", method: String = "GET", headers: HTTPHeaders = [:], body: (any ExchangeBody)? = nil,
        idleTimeout: Duration? = nil, totalTimeout: Duration? = nil
    ) -> HTTPExchange {
        HTTPExchange(
            url: server.url(path), method: method, headers: headers, body: body, idleTimeout: idleTimeout,
            totalTimeout: totalTimeout)
    }

    /// Runs an exchange to its end.
    func run(_ exchange: HTTPExchange, _ recorder: EventRecorder = EventRecorder()) async -> Transcript {
        _ = transport.start(exchange, receiver: recorder)
        return await recorder.outcome()
    }

    /// Runs a GET to its end.
    func get(_ path: String = "/") async -> Transcript {
        await run(exchange(path))
    }

    /// Scripts a path with a response and gets it.
    func get(_ response: ScriptedResponse) async -> Transcript {
        server.serve("/", response)
        return await get("/")
    }

    /// Runs one more exchange, behind which no event of an earlier one can be under way.
    func settle() async {
        server.serve("/settled", .text("settled"))
        let transcript = await get("/settled")
        #expect(transcript.text == "settled")
        #expect(transcript.hasSucceeded)
    }
}

/// Content for requests: generated, or any bytes.
struct TestBody: ExchangeBody {
    let bytes: Data

    init(_ bytes: Data) { self.bytes = bytes }
    init(_ text: String) { bytes = Data(text.utf8) }
    init(size: Int) { bytes = Data(GeneratedContent(size: Int64(size), seed: 11).bytes(in: 0..<Int64(size))) }

    var length: Int64 { Int64(bytes.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        bytes.dropFirst(Int(offset)).prefix(buffer.count).copyBytes(to: buffer)
    }
}

/// Content that cannot be read.
struct BrokenBody: ExchangeBody {
    /// What reading throws; with `nil` it ends too early.
    var error: (any Error)?
    let length: Int64 = 1000

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        if let error { throw error }
        return 0
    }
}
