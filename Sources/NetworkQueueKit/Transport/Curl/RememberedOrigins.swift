/// Origins of which something has been learned; when there are many, all are forgotten. May be used from any thread.
struct RememberedOrigins: Sendable {
    private static let capacity = 1024
    private let origins = Guarded<Set<Origin>>([])

    func insert(_ origin: Origin?) {
        guard let origin else { return }
        origins.withLock { origins in
            if origins.count >= Self.capacity { origins = [] }
            origins.insert(origin)
        }
    }

    func contains(_ origin: Origin?) -> Bool {
        guard let origin else { return false }
        return origins.withLock { $0.contains(origin) }
    }
}
