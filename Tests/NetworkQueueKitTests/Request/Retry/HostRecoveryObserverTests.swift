import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HostRecoveryObserverTests {
    private let observer = HostRecoveryObserver()
    private let fires = Gathering<String>()

    private func watch(_ host: String, _ name: String) -> any EarlyRetryToken {
        observer.watch(RetryWaitContext(host: host, error: NetworkError(.timedOut))) { [fires] in fires.add(name) }
    }

    @Test func `All waits for a host are told of its recovery once, and those for others are not`() {
        let tokens = [watch("a.test", "1"), watch("a.test", "2"), watch("b.test", "3")]
        observer.noteSuccess(host: "A.test")
        #expect(fires.values.sorted() == ["1", "2"] && observer.watchCount == 1)
        observer.noteSuccess(host: "a.test")
        #expect(fires.values.count == 2)
        for token in tokens { token.cancel() }
        #expect(observer.watchCount == 0)
    }

    @Test func `A closure that the observer calls may watch and cancel again`() {
        let tokens = Gathering<any EarlyRetryToken>()
        let context = RetryWaitContext(host: "a.test", error: NetworkError(.timedOut))
        tokens.add(
            observer.watch(context) { [observer, tokens, fires] in
                tokens.values[0].cancel()
                tokens.add(observer.watch(context) { fires.add("again") })
            })
        observer.noteSuccess(host: "a.test")
        #expect(observer.watchCount == 1)
        observer.noteSuccess(host: "a.test")
        #expect(fires.values == ["again"] && observer.watchCount == 0)
    }

    @Test func `A token that is canceled releases its closure`() {
        final class Owned: Sendable {}
        weak var reference: Owned?
        let token: any EarlyRetryToken
        do {
            let owned = Owned()
            reference = owned
            token = observer.watch(RetryWaitContext(host: "a.test", error: NetworkError(.timedOut))) {
                withExtendedLifetime(owned) {}
            }
        }
        #expect(reference != nil)
        token.cancel()
        #expect(reference == nil)
    }
}
