import Foundation
import NetworkQueueKit
import NetworkQueueTesting

extension QueueRig where Queue == NetworkQueue {
    /// A queue whose transport knows the paths of ``addForEveryEvent()``; all others succeed at once.
    package static func forEveryEvent(
        isSynchronous: Bool = false, configure: @escaping (inout NetworkQueue.Configuration) -> Void = { _ in },
        onEvent: @escaping @Sendable (NetworkQueue, NetworkQueue.Event) -> Void
    ) -> QueueRig {
        let hasFailed = Guarded(false)
        let transport = ScriptedTransport(isSynchronous: isSynchronous) { exchange in
            switch exchange.url.path() {
            case "/bad": return .fail(.timedOut)
            case "/moved": return .status(302, ["Location": "/end"])
            case "/secret" where !exchange.headers.contains("Authorization"):
                return .status(401, ["WWW-Authenticate": "Basic realm=\"r\""])
            case "/flaky" where exchange.method != "HEAD":
                let isFirst = hasFailed.withLock { hasFailed in
                    defer { hasFailed = true }
                    return !hasFailed
                }
                return isFirst ? .fail(.networkConnectionLost) : .ok()
            default: return .ok(Data("x".utf8))
            }
        }
        return QueueRig(
            transport,
            configure: {
                $0.cancelsAllOnFailure = false
                configure(&$0)
            },
            credential: { _ in URLCredential(user: "user", password: "password", persistence: .none) }, onEvent: onEvent
        )
    }

    /// Adds requests that bring about every kind of event between them: three that succeed in the end, and one that
    /// fails.
    @discardableResult
    package func addForEveryEvent() -> [RequestOperation] {
        var flaky = NetworkRequest(.test("flaky"))
        flaky.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero))
        return ["bad", "moved", "secret"].map { queue.add(.test($0)) } + [queue.add(flaky)]
    }
}
