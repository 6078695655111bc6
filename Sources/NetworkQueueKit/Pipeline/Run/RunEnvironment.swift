import Synchronization

/// The shared dependencies of runs. A class, so that each request that starts retains one object instead of a dozen.
final class RunEnvironment: Sendable {
    let transport: any Transport
    /// Whether the transport decodes content.
    let decodesContent: Bool
    let timekeeper: any Timekeeper
    let credentials: CredentialCache
    /// The origins that cannot be reached.
    let outages: OutageRecord
    /// The hosts that have answered 429 without a time.
    let refusals: RefusalRecord
    /// Limits the combined speed of all exchanges of a queue.
    let pacer: (any ExchangePacer)?
    let defaults: RequestDefaults
    let rateSwitch: RateSwitch
    /// Counts operations that are in no queue; queues count their own.
    let cap: RequestCap
    /// What the operations of the queue have stored.
    let storedFiles: StoredFiles
    let tus: TusMemory

    init(
        transport: any Transport, timekeeper: any Timekeeper = SystemTimekeeper(),
        credentials: CredentialCache = CredentialCache(), outages: OutageRecord = OutageRecord(),
        refusals: RefusalRecord = RefusalRecord(),
        pacer: (any ExchangePacer)? = nil, defaults: RequestDefaults = .outsideQueues,
        rateSwitch: RateSwitch = RateSwitch(isOn: false), cap: RequestCap = .shared,
        storedFiles: StoredFiles = StoredFiles(), tus: TusMemory = TusMemory()
    ) {
        self.transport = transport
        decodesContent = transport.decodesContent
        self.timekeeper = timekeeper
        self.credentials = credentials
        self.outages = outages
        self.refusals = refusals
        self.pacer = pacer
        self.defaults = defaults
        self.rateSwitch = rateSwitch
        self.cap = cap
        self.storedFiles = storedFiles
        self.tus = tus
    }

    var hasMonitors: Bool { !defaults.monitors.isEmpty }

    var now: Duration { timekeeper.now }

    /// Whether user code changes the request before it is sent.
    func hasPreparation(for request: NetworkRequest) -> Bool {
        defaults.authenticator != nil || !defaults.adapters.isEmpty || !request.adapters.isEmpty
    }

    /// A copy with other defaults.
    func with(_ defaults: RequestDefaults) -> RunEnvironment {
        RunEnvironment(
            transport: transport, timekeeper: timekeeper, credentials: credentials, outages: outages,
            refusals: refusals, pacer: pacer, defaults: defaults, rateSwitch: rateSwitch, cap: cap,
            storedFiles: storedFiles, tus: tus)
    }

    /// A copy with another speed limit.
    func with(pacer: any ExchangePacer) -> RunEnvironment {
        RunEnvironment(
            transport: transport, timekeeper: timekeeper, credentials: credentials, outages: outages,
            refusals: refusals, pacer: pacer, defaults: defaults, rateSwitch: rateSwitch, cap: cap,
            storedFiles: storedFiles, tus: tus)
    }

    /// A copy that forgets credentials, outages, refusals and stored files.
    func forgettingServers() -> RunEnvironment {
        RunEnvironment(
            transport: transport, timekeeper: timekeeper, pacer: pacer, defaults: defaults, rateSwitch: rateSwitch,
            cap: cap)
    }
}

/// Whether the rates of a queue limit how many exchanges start. Every exchange checks it without locking.
final class RateSwitch: Sendable {
    let isOn: Atomic<Bool>

    init(isOn: Bool) {
        self.isOn = Atomic(isOn)
    }
}

extension RunEnvironment {
    /// The files of the queue's other operations, as an operation sees them; see ``StoredFiles/View/former``.
    func storedFiles(former: UInt32) -> StoredFiles.View {
        StoredFiles.View(files: storedFiles, former: former, durability: defaults.durability)
    }
}

extension RequestDefaults {
    /// The defaults of operations in no queue. They flush each file, because no run ends that could do it later.
    static var outsideQueues: RequestDefaults {
        var defaults = RequestDefaults()
        defaults.durability = .eachFile
        return defaults
    }
}
