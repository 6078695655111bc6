import Foundation

/// The single answer to a challenge. Only the first call counts; an unanswered object answers “no credential” when it
/// is released.
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
