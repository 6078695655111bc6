import Dispatch

extension NetworkQueue {
    /// What a run is about to transfer, as far as it is known before the first transfer.
    public struct Plan: Sendable {
        /// A volume to which downloads go.
        public struct Volume: Sendable, Hashable {
            /// The path of an existing folder on the volume: that of the first download, or its closest parent.
            public var path: String
            /// The bytes of known size that the downloads will add: without what their parts hold, and without files
            /// that are kept or have a checksum that may match. A file that is replaced frees nothing before the end.
            public var neededBytes: Int64
            /// The bytes that this process may still use; `nil` if the volume does not tell.
            public var freeBytes: Int64?

            /// Creates a volume, for a preview or a test.
            public init(path: String, neededBytes: Int64, freeBytes: Int64? = nil) {
                self.path = path
                self.neededBytes = neededBytes
                self.freeBytes = freeBytes
            }
        }

        /// The number of requests that have not ended.
        public var requestCount = 0
        /// The bytes of all downloads of known size, including what is there.
        public var knownBytes: Int64 = 0
        /// The number of downloads of unknown size.
        public var unknownSizeCount = 0
        /// The bytes of ``knownBytes`` that are there: parts that can be resumed, and files that a HEAD showed to be
        /// current.
        public var presentBytes: Int64 = 0
        /// The number of existing files with a checksum to compare. They are not read before the run.
        public var unverifiedCount = 0
        /// The volumes to which downloads go, in the order of the requests.
        public var volumes: [Volume] = []
        /// The number of requests to each host, in lower case.
        public var requestCounts: [String: Int] = [:]
        /// The up to ten downloads with the largest known sizes, the largest first.
        public var largest: [RequestOperation] = []
        /// Whether all requests are known; `false` while ``NetworkQueue/run(adding:expectedCount:isolation:)`` reads a
        /// list, of which the plan has the beginning.
        public var isComplete = true
        /// The number of requests that were announced and have not been read.
        public var unreadCount = 0

        /// Creates an empty plan, for a preview or a test.
        public init() {}
    }

    /// The answer to a plan.
    public struct PlanDecision: Sendable, Hashable {
        let starts: Bool
        let leftOut: Set<RequestOperation.ID>
        /// The volume that has too little space for the run.
        var fullVolume: Plan.Volume?

        /// Start everything.
        public static let start = start(without: [])
        /// Start everything except these operations, which end as canceled. That is no failure.
        public static func start(without operations: [RequestOperation.ID]) -> PlanDecision {
            PlanDecision(starts: true, leftOut: Set(operations))
        }
        /// Cancel everything.
        public static let cancel = PlanDecision(starts: false, leftOut: [])
        /// Fail everything with `.insufficientSpace`, and read no more of a list.
        package static func refuse(_ volume: Plan.Volume) -> PlanDecision {
            PlanDecision(starts: false, leftOut: [], fullVolume: volume)
        }
    }

    /// Is asked before the first transfer of a run, in a task of its own. Default `nil`.
    ///
    /// ```swift
    /// queue.planHandler = { plan in
    ///     await confirm("Download \(plan.requestCount) files, \(plan.knownBytes) bytes?") ? .start : .cancel
    /// }
    /// ```
    ///
    /// It is asked once for `go()` or `run()`, when the sizes are known as far as transfers wait for them, after the
    /// delegate (``asksBeforeStart``). Requests that are added to a drained queue, and those of `retryFailed()`, start
    /// without a question. Until the answer the phase is ``QueueProgress/Phase/sizing(completed:total:)`` and nothing is
    /// transferred. `cancelAll()`, `reset()`, a canceled `run()` and the release of the queue end the question; a late
    /// answer has no effect. Without a handler there is no plan. A change takes effect with the next `go()`.
    public var planHandler: (@Sendable (Plan) async -> PlanDecision)? {
        get { loop.access { $0.settings.planHandler } }
        set { changeBatchSettings { $0.planHandler = newValue } }
    }

    /// Whether the delegate is asked before the first transfer of a run, by
    /// ``NetworkQueueDelegate/networkQueue(_:shouldStart:)``. Default `false`. A change takes effect with the next
    /// `go()`.
    public var asksBeforeStart: Bool {
        get { loop.access { $0.settings.asksBeforeStart } }
        set { changeBatchSettings { $0.asksBeforeStart = newValue } }
    }

    /// Whether downloads of known size that do not fit on their volume fail before the first transfer. Default `false`.
    ///
    /// All downloads to that volume fail, with `.insufficientSpace` and ``NetworkError/space``, and
    /// ``cancelsAllOnFailure`` applies as for one failure. What a question about the plan leaves out is not counted.
    /// Unknown sizes count as nothing, and a volume that does not tell its size is never full. A change takes effect
    /// with the next `go()`.
    public var requiresSpace: Bool {
        get { loop.access { $0.settings.requiresSpace } }
        set { changeBatchSettings { $0.requiresSpace = newValue } }
    }
}

extension NetworkQueue.Configuration {
    /// See ``NetworkQueue/planHandler``.
    public var planHandler: (@Sendable (NetworkQueue.Plan) async -> NetworkQueue.PlanDecision)? {
        get { batchSettings.planHandler }
        set { batchSettings.planHandler = newValue }
    }

    /// See ``NetworkQueue/asksBeforeStart``.
    public var asksBeforeStart: Bool {
        get { batchSettings.asksBeforeStart }
        set { batchSettings.asksBeforeStart = newValue }
    }

    /// See ``NetworkQueue/requiresSpace``.
    public var requiresSpace: Bool {
        get { batchSettings.requiresSpace }
        set { batchSettings.requiresSpace = newValue }
    }
}

// MARK: The question

extension NetworkQueue {
    /// Finds out what a plan says and asks about it. The queue is not retained meanwhile.
    func ask(about downloads: [PlanSurvey.Entry], _ generation: Int) {
        DispatchQueue.global().async { [weak self] in
            // On a thread of its own: this queries the file system.
            let survey = PlanSurvey(downloads)
            guard let self else { return }
            let (settings, isAsked) = loop.access { ($0.settings, $0.isAsking(in: generation)) }
            guard isAsked else { return }
            guard settings.asksBeforeStart else { return askHandler(about: survey, generation) }
            modify { batch, _, effects in
                if batch.isAsking(in: generation) { batch.call(.plan(survey), into: &effects) }
            }
        }
    }

    /// Asks ``planHandler``, if there is one.
    func askHandler(about survey: PlanSurvey, _ generation: Int) {
        let (handler, plan) = loop.access { ($0.settings.planHandler, $0.completed(survey.plan)) }
        guard let handler else { return answer(.start, to: survey, generation) }
        Task { [weak self] in
            let decision = await handler(plan)
            self?.answer(decision, to: survey, generation)
        }
    }

    func answer(_ decision: PlanDecision, to survey: PlanSurvey, _ generation: Int) {
        modify { batch, now, effects in
            batch.takeAnswer(decision, to: survey, generation, now: now, into: &effects)
        }
    }
}
