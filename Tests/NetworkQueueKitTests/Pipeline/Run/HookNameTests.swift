import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// Hooks that throw.
private struct Failing: RequestAdapter, ResponseProcessor, RequestAuthenticator {
    let error: any Error

    func adapt(_ request: URLRequest, in context: AttemptContext) throws -> URLRequest { throw error }
    func process(_ response: Response, in context: AttemptContext) throws -> Response { throw error }
    func authorize(_ request: URLRequest, in context: AttemptContext) throws -> URLRequest { throw error }
}

/// An endpoint that throws.
private struct FailingEndpoint: Endpoint {
    let url = URL.test("a")
    var parsing: (any Error)?
    var making: (any Error)?
    var destination = Destination.memory

    var body: RequestBody? {
        get throws {
            if let making { throw making }
            return nil
        }
    }

    func makeRequest() -> NetworkRequest {
        var request = standardRequest()
        request.destination = destination
        return request
    }

    func parse(_ response: Response) throws {
        if let parsing { throw parsing }
    }
}

@Suite(.timeLimit(.minutes(10)))
struct HookNameTests {
    private static let errors: [any Error & Sendable] = [
        Refusal(), URLError(.timedOut), NetworkError(.validation), NetworkError(.cannotFindHost),
    ]

    private func expect(_ errors: [NetworkError?], toBe thrown: any Error, by name: String) throws {
        for error in errors {
            let error = try #require(error)
            #expect(error.description.contains(" Thrown by \(name)"), "\(error)")
            if thrown is Refusal { #expect(error.underlying is Refusal) }
            if let thrown = thrown as? NetworkError { #expect(error.code == thrown.code && error.underlying == nil) }
        }
    }

    /// The error of a request that one hook fails.
    private func error(
        over transport: ScriptedTransport = ScriptedTransport { _ in .ok(Data(count: 3)) },
        _ configure: (inout NetworkQueue.Configuration, inout NetworkRequest) -> Void
    ) async -> NetworkError? {
        var request = NetworkRequest(.test("a"))
        let rig = QueueRig(transport, configure: { configure(&$0, &request) })
        let operation = await rig.run(request)
        return operation.error
    }

    /// The error that an endpoint is given.
    private func error<E: Endpoint>(
        of endpoint: E, over transport: ScriptedTransport = ScriptedTransport { _ in .ok(Data(count: 3)) }
    ) async -> NetworkError? where E.Failure == NetworkError {
        do throws(NetworkError) {
            _ = try await QueueRig(.requestQueue, transport).queue.send(endpoint)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: 0..<4)
    func `An error names the type of its hook and leaves the error beneath as it is`(number: Int) async throws {
        let thrown = Self.errors[number]
        let hook = Failing(error: thrown)
        let errors = [
            await error { configuration, _ in configuration.adapters = [hook] },
            await error { _, request in request.adapters = [hook] },
            await error { configuration, _ in configuration.processors = [hook] },
            await error { _, request in request.processors = [hook] },
            await error { configuration, _ in configuration.authenticator = hook },
        ]
        try expect(errors, toBe: thrown, by: "Failing.")
        #expect(Set(errors.map { $0?.operationID }).count == errors.count)
    }

    @Test(arguments: ["begin 200", "write", "finish"])
    func `An error names a sink, too`(event: String) async throws {
        let error = await error { _, request in
            request.destination = .sink(RecordingSink { if $0 == event { throw Refusal() } })
        }
        try expect([error], toBe: Refusal(), by: "RecordingSink.")
        #expect(error?.code == .processing)
    }

    @Test(arguments: 0..<4) func `An error names the endpoint whose code has thrown`(number: Int) async throws {
        let thrown = Self.errors[number]
        let folder = try TemporaryFolder()
        let errors = [
            await error(of: FailingEndpoint(parsing: thrown)),
            await error(of: FailingEndpoint(making: thrown)),
            await error(of: FailingEndpoint(making: thrown).saved(to: folder.file("a"))),
        ]
        try expect(errors, toBe: thrown, by: "FailingEndpoint")
    }

    @Test func `An error names the endpoint that cannot parse a file that is kept`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("same", to: "a")
        let endpoint = FailingEndpoint(
            parsing: Refusal(), destination: .file(folder.file("a"), onConflict: .keepIfCurrent(otherwise: .overwrite)))
        let error = await error(of: endpoint, over: ScriptedTransport { _ in .status(304) })
        try expect([error], toBe: Refusal(), by: "FailingEndpoint")
        #expect(error?.code == .processing)
    }

    @Test func `An error of a closure names the value that the closure was given to`() async throws {
        let adapter = await error { configuration, _ in configuration.adapters = [.adapter { _, _ in throw Refusal() }]
        }
        let validation = await error { _, request in request.validation = .custom { _ in throw Refusal() } }
        let transport = ScriptedTransport { exchange in
            // A transport has the failure of a read end the exchange.
            (try? exchange.body?.allBytes(chunk: 8)) == nil ? .fail(.unknown) : .ok()
        }
        let body = await error(over: transport) { _, request in
            request.body = .stream(length: 3) { _, _ in throw Refusal() }
        }
        for (error, code, name) in [
            (adapter, NetworkError.Code.adapting, "ClosureAdapter."),
            (validation, .validation, "ResponseValidation.custom."),
            (body, .bodyUnavailable, "RequestBody.stream."),
        ] {
            try expect([error], toBe: Refusal(), by: name)
            #expect(error?.code == code)
        }
    }

    @Test func `An error names its hook when the attempt is repeated, too`() async throws {
        let rig = QueueRig {
            $0.retryPolicy = .immediate(1)
            $0.adapters = [Failing(error: URLError(.timedOut))]
        }
        await rig.run(.test("a"))
        let errors = rig.recorder.events.compactMap { event in
            switch event {
            case .willRetry(_, _, let error), .didFail(_, let error): error
            default: nil
            }
        }
        #expect(errors.count == 2)
        try expect(errors, toBe: URLError(.timedOut), by: "Failing.")
    }

    @Test func `An error of the transport names no hook`() async {
        let rig = QueueRig(ScriptedTransport { _ in .fail(.timedOut) }) {
            $0.adapters = [.adapter { request, _ in request }]
        }
        let operation = await rig.run(.test("a"))
        #expect(operation.error?.description == "The request to host.test:80 timed out.")
    }
}
