import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Hooks that throw.
private struct Failing: RequestAdapter, ResponseProcessor, RequestAuthenticator {
    let error: any Error

    func adapt(_ request: URLRequest, in context: AttemptContext) throws -> URLRequest { throw error }
    func process(_ response: Response, in context: AttemptContext) throws -> Response { throw error }
    func authorize(_ request: URLRequest, in context: AttemptContext) throws -> URLRequest { throw error }
}

@Suite("What a hook throws", .timeLimit(.minutes(10)))
struct HookNameTests {
    private static let errors: [any Error & Sendable] = [
        Refusal(), URLError(.timedOut), NetworkError(.validation), NetworkError(.cannotFindHost),
    ]

    /// The error of a request that one hook fails.
    private func error(_ configure: (inout NetworkQueue.Configuration, inout NetworkRequest) -> Void) async
        -> NetworkError?
    {
        var request = NetworkRequest(.test("a"))
        let rig = QueueRig(
            ScriptedTransport { _ in .ok(Data(count: 3)) }, configure: { configure(&$0, &request) })
        let operation = rig.queue.add(request)
        await rig.queue.run()
        return operation.error
    }

    @Test(arguments: 0..<4)
    func `names its type in the description, and leaves the error beneath as it is`(number: Int) async throws {
        let thrown = Self.errors[number]
        let hook = Failing(error: thrown)
        let errors = [
            await error { configuration, _ in configuration.adapters = [hook] },
            await error { _, request in request.adapters = [hook] },
            await error { configuration, _ in configuration.processors = [hook] },
            await error { _, request in request.processors = [hook] },
            await error { configuration, _ in configuration.authenticator = hook },
        ]
        for error in errors {
            let error = try #require(error)
            #expect(error.description.contains("(host.test) in Failing"), "\(error)")
            if thrown is Refusal { #expect(error.underlying is Refusal) }
            if let thrown = thrown as? NetworkError { #expect(error.code == thrown.code && error.underlying == nil) }
        }
        #expect(Set(errors.map { $0?.operationID }).count == errors.count)
    }

    @Test(arguments: ["begin 200", "write", "finish"])
    func `names a sink, too`(event: String) async {
        let error = await error { _, request in
            request.destination = .sink(RecordingSink { if $0 == event { throw Refusal() } })
        }
        #expect(error?.description.contains("(host.test) in RecordingSink: ") == true)
        #expect(error?.code == .processing && error?.underlying is Refusal)
    }

    @Test func `names the closure form where it was one`() async {
        let error = await error { configuration, _ in configuration.adapters = [.adapter { _, _ in throw Refusal() }] }
        #expect(error?.description.contains("in ClosureAdapter: ") == true)
    }

    @Test func `is told of by name when the attempt is repeated`() async {
        let rig = QueueRig(
            ScriptedTransport { _ in .ok() },
            configure: {
                $0.retryPolicy = .immediate(1)
                $0.adapters = [Failing(error: URLError(.timedOut))]
            })
        rig.queue.add(.test("a"))
        await rig.queue.run()
        let errors = rig.recorder.events.compactMap { event in
            switch event {
            case .willRetry(_, _, let error), .didFail(_, let error): error
            default: nil
            }
        }
        #expect(errors.count == 2 && errors.allSatisfy { $0.description.contains(" in Failing.") })
    }

    @Test func `alone is named: a failure of the transport has no hook`() async {
        let rig = QueueRig(
            ScriptedTransport { _ in .fail(.timedOut) },
            configure: { $0.adapters = [.adapter { request, _ in request }] })
        let operation = rig.queue.add(.test("a"))
        await rig.queue.run()
        #expect(operation.error?.description == "The server took too long to answer (host.test).")
    }
}
