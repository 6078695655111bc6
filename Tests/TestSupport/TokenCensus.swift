import Synchronization

/// How many of its tokens are alive. What carries one, such as a request in its `userInfo`, is kept by something as
/// long as that is.
package final class TokenCensus: Sendable {
    private let count = Atomic(0)

    package init() {}

    /// How many are alive.
    package var alive: Int { count.load(ordering: .relaxed) }

    /// Makes a token.
    package func token() -> any Sendable { Token(self) }

    private final class Token: Sendable {
        private let census: TokenCensus

        init(_ census: TokenCensus) {
            self.census = census
            census.count.add(1, ordering: .relaxed)
        }

        deinit { census.count.subtract(1, ordering: .relaxed) }
    }
}
