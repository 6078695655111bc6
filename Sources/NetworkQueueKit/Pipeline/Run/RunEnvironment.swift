/// What a request finds where it runs. An object, since every request that starts gets it: one reference to count in
/// place of a dozen.
final class RunEnvironment: Sendable {
    let transport: any Transport
    /// Whether the transport decodes content by itself.
    let decodesContent: Bool
    let timekeeper: any Timekeeper
    let credentials: CredentialCache
    /// The origins that cannot be reached.
    let outages: OutageRecord
    /// What limits the speed of all exchanges of a queue together.
    let pacer: (any ExchangePacer)?
    let defaults: RequestDefaults
    /// Counts operations that are in no queue. Queues count their own.
    let cap: RequestCap

    init(
        transport: any Transport, timekeeper: any Timekeeper = SystemTimekeeper(),
        credentials: CredentialCache = CredentialCache(), outages: OutageRecord = OutageRecord(),
        pacer: (any ExchangePacer)? = nil, defaults: RequestDefaults = RequestDefaults(),
        cap: RequestCap = .shared
    ) {
        self.transport = transport
        decodesContent = transport.decodesContent
        self.timekeeper = timekeeper
        self.credentials = credentials
        self.outages = outages
        self.pacer = pacer
        self.defaults = defaults
        self.cap = cap
    }

    var hasMonitors: Bool { !defaults.monitors.isEmpty }

    var now: Duration { timekeeper.now }

    /// Whether the user's code changes the request before it is sent.
    func hasPreparation(for request: NetworkRequest) -> Bool {
        defaults.authenticator != nil || !defaults.adapters.isEmpty || !request.adapters.isEmpty
    }

    /// The same with other defaults.
    func with(_ defaults: RequestDefaults) -> RunEnvironment {
        RunEnvironment(
            transport: transport, timekeeper: timekeeper, credentials: credentials, outages: outages,
            pacer: pacer, defaults: defaults, cap: cap)
    }

    /// The same with another limit for the speed.
    func with(pacer: any ExchangePacer) -> RunEnvironment {
        RunEnvironment(
            transport: transport, timekeeper: timekeeper, credentials: credentials, outages: outages,
            pacer: pacer, defaults: defaults, cap: cap)
    }

    /// The same without what has been learnt about servers.
    func forgettingServers() -> RunEnvironment {
        RunEnvironment(
            transport: transport, timekeeper: timekeeper, pacer: pacer, defaults: defaults, cap: cap)
    }
}
