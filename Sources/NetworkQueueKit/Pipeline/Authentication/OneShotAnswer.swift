import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An answer that is owed: given once, and given as “none” when it has been let go of.
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
