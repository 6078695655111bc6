import Foundation

/// The answer to a challenge, given exactly once: the first call counts, and an object released without one answers
/// with no credential.
final class OneShotAnswer: Sendable {
    private let take: Guarded<(@Sendable (URLCredential?) -> Void)?>

    init(_ take: @escaping @Sendable (URLCredential?) -> Void) {
        self.take = Guarded(take)
    }

    deinit { give(nil) }

    func give(_ credential: URLCredential?) {
        let take = take.withLock { take in
            defer { take = nil }
            return take
        }
        take?(credential)
    }
}
