/// What an operation finds where it runs. An object, since every operation that starts gets it: one reference to count in
/// place of a dozen.
final class RunEnvironment: Sendable {
    let transport: any Transport
    let timekeeper: any Timekeeper
    let authenticator: Authenticator
    /// What limits the speed of all exchanges of a queue together.
    let pacer: (any ExchangePacer)?
    let settings: RunSettings

    init(
        transport: any Transport, timekeeper: any Timekeeper = SystemTimekeeper(),
        authenticator: Authenticator = Authenticator(), pacer: (any ExchangePacer)? = nil,
        settings: RunSettings = RunSettings()
    ) {
        self.transport = transport
        self.timekeeper = timekeeper
        self.authenticator = authenticator
        self.pacer = pacer
        self.settings = settings
    }

    /// Whether somebody may change the request before it is sent.
    func hasAdapters(for request: borrowing NetworkRequest) -> Bool {
        !settings.adapters.isEmpty || request.hasAdapters
    }

    /// The same with other settings.
    func with(_ settings: RunSettings) -> RunEnvironment {
        RunEnvironment(
            transport: transport, timekeeper: timekeeper, authenticator: authenticator, pacer: pacer, settings: settings
        )
    }

    /// The same, with nobody having answered a challenge.
    func forgettingCredentials() -> RunEnvironment {
        RunEnvironment(transport: transport, timekeeper: timekeeper, pacer: pacer, settings: settings)
    }
}
