/// What an operation finds that is in no queue of this library, in place of the defaults.
final class StandaloneEnvironment: Sendable {
    let environment: RunEnvironment

    init(_ environment: RunEnvironment) {
        self.environment = environment
    }
}

extension RunEnvironment {
    /// What operations find that are in no queue of this library.
    static var standalone: RunEnvironment { RunEnvironment(transport: DefaultTransport.shared) }
}

extension RequestOperation {
    /// Replaces transport and clock for an operation that is in no queue of this library. For tests.
    package func setStandalone(transport: any Transport, timekeeper: any Timekeeper) {
        setStandalone(transport: transport, timekeeper: timekeeper, cap: .shared)
    }

    func setStandalone(transport: any Transport, timekeeper: any Timekeeper, cap: RequestCap) {
        let environment = RunEnvironment(transport: transport, timekeeper: timekeeper, cap: cap)
        state.withLock { state in
            if case .none = state.home { state.home = .none(StandaloneEnvironment(environment)) }
        }
    }
}
