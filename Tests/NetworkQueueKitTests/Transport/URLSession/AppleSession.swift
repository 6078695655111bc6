import Foundation
import NetworkQueueTesting
import Testing

@testable import NetworkQueueKit

/// One transfer of a session that behaves as Apple's do: the test makes the session's calls.
struct AppleSession {
    let router: SessionRouter
    /// Stands for the router's key; it is never started.
    let sessionTask: URLSessionDataTask
    let task = RecordedTask()
    let receiver: RecordingReceiver
    let transfer: SessionTransfer
    let clock = ManualClock()
    let session = URLSession(configuration: .default)

    static let url = URL(string: "https://server.test/file") ?? URL(filePath: "/")

    init(
        idleTimeout: Duration? = nil, content: SessionContent = .data(nil), serverCheck: ServerCheck? = nil,
        onBody: @escaping @Sendable (Int) -> ExchangeDisposition = { _ in .proceed }
    ) {
        router = SessionRouter(policy: .apple, serverCheck: serverCheck)
        sessionTask = session.dataTask(with: URLRequest(url: Self.url))
        receiver = RecordingReceiver(onBody: onBody)
        transfer = SessionTransfer(
            HTTPExchange(url: Self.url, idleTimeout: idleTimeout), receiver: receiver,
            configuration: TransportConfiguration(), policy: .apple, idleClock: clock)
        router.add(transfer, for: sessionTask)
        transfer.begin(task, content: content)
    }

    // MARK: The session's calls

    func respond(_ statusCode: Int = 200, _ fields: [String: String] = [:]) throws {
        let response = try #require(Self.response(statusCode, fields))
        router.urlSession(session, dataTask: sessionTask, didReceive: response) { #expect($0 == .allow) }
    }

    func send(_ data: Data) {
        router.urlSession(session, dataTask: sessionTask, didReceive: data)
    }

    func end(_ error: (any Error)? = nil) {
        router.urlSession(session, task: sessionTask, didCompleteWithError: error)
    }

    /// What the delegate answers to a challenge; `nil` if it does not.
    func challenge(_ method: String, statusCode: Int? = nil) -> URLSession.AuthChallengeDisposition? {
        let challenge = Self.makeChallenge(method, statusCode: statusCode)
        let answer = Guarded<URLSession.AuthChallengeDisposition?>(nil)
        router.urlSession(session, task: sessionTask, didReceive: challenge) { disposition, credential in
            #expect(credential == nil)
            answer.withLock { $0 = disposition }
        }
        return answer.withLock { $0 }
    }

    static func makeChallenge(_ method: String, statusCode: Int? = nil) -> URLAuthenticationChallenge {
        let space = URLProtectionSpace(
            host: "server.test", port: 443, protocol: "https", realm: nil, authenticationMethod: method)
        return URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0,
            failureResponse: statusCode.flatMap { response($0, [:]) }, error: nil, sender: NobodySender())
    }

    /// How often the delegate declines a redirect.
    func redirect() throws -> Int {
        let count = Guarded(0)
        router.urlSession(
            session, task: sessionTask, willPerformHTTPRedirection: try #require(Self.response(302, [:])),
            newRequest: URLRequest(url: Self.url)
        ) { request in
            #expect(request == nil)
            count.withLock { $0 += 1 }
        }
        return count.withLock { $0 }
    }

    static func response(_ statusCode: Int, _ fields: [String: String]) -> HTTPURLResponse? {
        HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}

/// Writes down what a transfer does with its task.
final class RecordedTask: SessionTask {
    private let list = Guarded<[String]>([])
    var calls: [String] { list.withLock { $0 } }
    func resume() { list.withLock { $0.append("resume") } }
    func suspend() { list.withLock { $0.append("suspend") } }
    func cancel() { list.withLock { $0.append("cancel") } }
}

/// Writes down what it is told.
final class RecordingReceiver: ExchangeReceiver {
    struct Events: Sendable {
        var head: ResponseHead?
        var body = Data()
        var isComplete = false
        var error: URLError?
    }

    private let events = Guarded(Events())
    private let waiters = WaiterList()
    private let onBody: @Sendable (Int) -> ExchangeDisposition

    init(onBody: @escaping @Sendable (Int) -> ExchangeDisposition) {
        self.onBody = onBody
    }

    /// All events, once the exchange has ended.
    func end() async -> Events { await wait { $0.isComplete } }

    @discardableResult
    func wait(until isMet: @escaping @Sendable (Events) -> Bool) async -> Events {
        await waiters.wait { [self] in isMet(events.withLock { $0 }) }
        return events.withLock { $0 }
    }

    func exchangeDidSend(totalBytes: Int64) {}

    func exchangeDidReceive(head: ResponseHead) -> ExchangeDisposition {
        events.withLock { $0.head = head }
        waiters.check()
        return .proceed
    }

    func exchangeDidReceive(body: UnsafeRawBufferPointer) -> ExchangeDisposition {
        let disposition = onBody(body.count)
        events.withLock { $0.body.append(contentsOf: body) }
        waiters.check()
        return disposition
    }

    func exchangeDidComplete(error: URLError?) {
        events.withLock { ($0.isComplete, $0.error) = (true, error) }
        waiters.check()
    }
}

private final class NobodySender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
