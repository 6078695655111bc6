import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import Testing

/// The snippets of the catalog of NetworkQueueTesting, with the expectations that it shows.
@Suite(.timeLimit(.minutes(10)))
struct NetworkQueueTestingSnippets {
    private let url: URL

    init() throws {
        url = try #require(URL(webAddress: "http://example.com/notes"))
    }

    @Test func `A script takes the place of a server`() async throws {
        // snippet: first page
        let transport = ScriptedTransport { _ in .json(#"["milk", "tea"]"#) }
        let queue = RequestQueue(transport: transport)
        let notes = try await queue.value(of: [String].self, for: url)
        // end
        #expect(notes == ["milk", "tea"])
    }

    @Test func `A script decides by method and path`() async throws {
        // snippet: script
        let transport = ScriptedTransport { exchange in
            switch "\(exchange.method) \(exchange.url.path())" {
            case "GET /notes": .json(#"["milk", "tea"]"#)
            case "POST /notes": .status(201, ["Location": "/notes/3"])
            case "GET /offline": .fail(.notConnectedToInternet)
            default: .status(404)
            }
        }
        // end
        let response = try await RequestQueue(transport: transport).response(for: .post(url))
        #expect(response.head.headers["Location"] == "/notes/3")
    }

    @Test func `A held exchange is answered step by step`() async throws {
        // snippet: by hand
        let transport = ScriptedTransport()
        let queue = RequestQueue(transport: transport)
        let operation = queue.add(url)
        let exchange = await transport.exchange(0)
        exchange.receive(headers: ["Content-Length": "4"])
        #expect(operation.responseHead?.statusCode == 200)
        exchange.receive(Data("mi".utf8))
        #expect(operation.progress.download.transferred == 2)
        exchange.receive(Data("lk".utf8))
        exchange.end()
        #expect(try await operation.response().data == Data("milk".utf8))
        // end
    }

    @Test func `Counts show how many exchanges are open`() async {
        // snippet: counts
        let transport = ScriptedTransport()
        let queue = RequestQueue(transport: transport)
        queue.maxConcurrentRequestCount = 3
        queue.add(contentsOf: (1...10).map { NetworkRequest(url.appending(path: "\($0)")) })
        await transport.waitForExchanges(3)
        #expect(transport.liveCount == 3)
        queue.cancelAll()
        await transport.wait { $0.isQuiet }
        #expect(transport.peakLiveCount == 3)
        // end
    }

    @Test func `A manual clock makes a timeout without a wait`() async {
        // snippet: clock
        let clock = ManualClock()
        let queue = RequestQueue(transport: ScriptedTransport(), clock: clock)
        var request = NetworkRequest(url)
        request.totalTimeout = .seconds(30)
        let operation = queue.add(request)
        await clock.waitForScheduledCalls(1)
        clock.advance(by: .seconds(30))
        await #expect(throws: NetworkError.self) { try await operation.response() }
        #expect(operation.error?.code == .timedOut)
        // end
    }
}
