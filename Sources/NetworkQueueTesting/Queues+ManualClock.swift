import Dispatch
import NetworkQueueKit

extension NetworkQueue {
    /// Creates a queue whose time is controlled by a test.
    ///
    /// - Parameters:
    ///   - configuration: The initial settings.
    ///   - transport: The transport that performs the exchanges, such as a ``ScriptedTransport``.
    ///   - delegateQueue: The queue for all callbacks; the main queue by default.
    ///   - clock: The clock from which the queue takes the time.
    public convenience init(
        configuration: Configuration = Configuration(), transport: any Transport, delegateQueue: DispatchQueue = .main,
        clock: ManualClock
    ) {
        self.init(
            configuration: configuration, transport: transport, delegateQueue: delegateQueue, timekeeper: clock)
    }
}

extension RequestQueue {
    /// Creates a queue whose time is controlled by a test.
    ///
    /// - Parameters:
    ///   - configuration: The initial settings.
    ///   - transport: The transport that performs the exchanges, such as a ``ScriptedTransport``.
    ///   - clock: The clock from which the queue takes the time.
    public convenience init(
        configuration: Configuration = Configuration(), transport: any Transport, clock: ManualClock
    ) {
        self.init(configuration: configuration, transport: transport, timekeeper: clock)
    }
}
