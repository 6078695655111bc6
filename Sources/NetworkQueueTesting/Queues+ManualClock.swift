import Dispatch
import NetworkQueueKit

extension NetworkQueue {
    /// Creates a queue whose time a test advances.
    ///
    /// - Parameters:
    ///   - configuration: the settings to start with.
    ///   - transport: what performs the exchanges, a ``ScriptedTransport`` for instance.
    ///   - delegateQueue: the queue on which all callbacks are made. Default: the main queue.
    ///   - clock: what the queue asks for the time.
    public convenience init(
        configuration: Configuration = Configuration(), transport: any Transport, delegateQueue: DispatchQueue = .main,
        clock: ManualClock
    ) {
        self.init(
            configuration: configuration, transport: transport, delegateQueue: delegateQueue, timekeeper: clock)
    }
}

extension RequestQueue {
    /// Creates a queue whose time a test advances.
    ///
    /// - Parameters:
    ///   - configuration: the settings to start with.
    ///   - transport: what performs the exchanges, a ``ScriptedTransport`` for instance.
    ///   - clock: what the queue asks for the time.
    public convenience init(
        configuration: Configuration = Configuration(), transport: any Transport, clock: ManualClock
    ) {
        self.init(configuration: configuration, transport: transport, timekeeper: clock)
    }
}
