import Foundation

extension NetworkQueue {
    /// The requests of a queue with the same ``NetworkRequest/group``: an album, an experiment, a customer. They share
    /// the slots of the queue with all others, and have a progress of their own.
    ///
    /// ```swift
    /// let album = queue.group("album-7")
    /// album.add(contentsOf: tracks)
    /// queue.go()
    /// let summary = await album.summary()
    /// ```
    ///
    /// A group ends when the last callback about a member has returned. Then
    /// ``NetworkQueueDelegate/networkQueue(_:groupDidFinish:summary:)`` is called. Another member begins a new pass of
    /// the group: counts and bytes go on, the fraction counts what has been added since the last end, and the summary
    /// is that of the pass.
    ///
    /// After a drain or a ``NetworkQueue/reset()`` the groups of the run are gone: a handle that is left has no requests
    /// and no progress, its settings have no effect, and ``summary()`` is what was reported last. What is added with it
    /// goes into a new group of its name.
    ///
    /// A handle does not keep the queue alive. All members may be used from any thread and in any callback.
    public struct Group: Sendable, Hashable {
        let state: RunGroup

        init(_ state: RunGroup) { self.state = state }

        /// The name.
        public var name: String { state.name }

        private var queue: NetworkQueue? { state.handle.queue as? NetworkQueue }

        /// Whether both handles refer to the same group of the same run.
        public static func == (left: Group, right: Group) -> Bool { left.state === right.state }

        /// Hashes the identity of the group.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(state)) }
    }

    /// The group with a name, which may have no members yet. The group of an unsupported name has none.
    public func group(_ name: String) -> Group {
        Group(loop.access { $0.groups.group(named: name, handle) } ?? .unsupported(name, handle))
    }

    /// The groups of the run that have had members, in the order in which they got their first ones.
    public var groups: [Group] { loop.access { $0.groups.inOrder }.map { Group($0) } }
}

extension RunGroup {
    static func unsupported(_ name: String, _ handle: QueueHandle) -> RunGroup {
        let group = RunGroup(name, number: 0, handle)
        group.isGone = true
        return group
    }
}

extension NetworkQueue.Group {
    // MARK: Adding

    /// Adds a request to the group and returns its operation, which is canceled if the queue no longer exists.
    @discardableResult
    public func add(_ request: NetworkRequest) -> RequestOperation { add(contentsOf: CollectionOfOne(request))[0] }

    /// Adds a GET request to the group.
    @discardableResult
    public func add(_ url: URL) -> RequestOperation { add(NetworkRequest(url)) }

    /// Adds requests to the group in order and returns their operations. A started queue does not drain between them.
    @discardableResult
    public func add(contentsOf requests: some Sequence<NetworkRequest>) -> [RequestOperation] {
        let members = requests.map { request in
            var request = request
            request.group = name
            return request
        }
        if let queue { return queue.add(contentsOf: members) }
        return members.map { request in
            let operation = RequestOperation(request)
            operation.cancel()
            return operation
        }
    }

    // MARK: Settings

    /// The maximum number of members that run at the same time, with the size requests and the parts of split downloads;
    /// `nil`, the default, and values below 1 mean no limit of the group's own. A change takes effect at once; running
    /// members continue.
    public var maxConcurrentRequestCount: Int? {
        get { queue?.loop.access { _ in state.maxConcurrentRequestCount } ?? nil }
        nonmutating set {
            queue?.modify { batch, _, _ in
                guard !state.isGone else { return }
                state.maxConcurrentRequestCount = newValue
                batch.core.scheduler.setMaximumRunning(newValue, ofGroup: state.number)
            }
        }
    }

    /// What a failure of a member cancels: with `true` the other members and nothing else, with `false` nothing, with
    /// `nil`, the default, what the queue's ``NetworkQueue/cancelsAllOnFailure`` says. A change applies to later
    /// failures.
    ///
    /// A failure outside the group to which the queue's rule applies cancels the members of every group.
    public var cancelsAllOnFailure: Bool? {
        get { queue?.loop.access { _ in state.cancelsAllOnFailure } ?? nil }
        nonmutating set { queue?.loop.access { _ in state.cancelsAllOnFailure = newValue } }
    }

    // MARK: Members

    /// The members that have not ended, in the order of ``NetworkQueue/requests``. O(n log n), of all requests.
    public var requests: [RequestOperation] {
        queue?.loop.access { batch in
            state.isGone ? [] : batch.core.scheduler.elementsInOrder.filter { $0.batchEntry?.group === state }
        } ?? []
    }

    /// Cancels every member. Members added later are not affected.
    public func cancelAll() {
        queue?.cancelAll { [state] in $0.batchEntry?.group === state }
    }

    /// Pauses every member, like ``RequestOperation/pause()``. Members added later are not affected.
    public func pauseAll() {
        for operation in requests { operation.pause(by: .queue) }
    }

    /// Resumes every member that ``pauseAll()``, of the group or of the queue, has paused. Members that were paused
    /// individually stay paused.
    public func resumeAll() {
        for operation in requests { operation.resume(from: .queue) }
    }

    // MARK: Progress

    /// A snapshot of the group's progress, which keeps the promises of the queue's: the fraction never decreases within
    /// a pass, and is 1 once the pass has ended. O(1)
    ///
    /// The counts and the transferred bytes of all groups and of the requests without a group add up to those of the
    /// queue. So do the expected bytes where all sizes are known; an unknown one is taken to be the mean of its own
    /// group. The phase is that of the queue until the group has ended, and so is `sizing`.
    public var progress: NetworkQueue.Progress {
        guard let queue else { return QueueProgress() }
        return queue.loop.access { $0.progress(of: state, now: queue.timekeeper.now) }
    }

    /// The group's progress as a `Foundation.Progress` without a parent, for user interfaces that bind to one. It is
    /// updated on `delegateQueue`, together with that of the queue.
    ///
    /// Each pass has its own object. Canceling, pausing and resuming it calls ``cancelAll()``, ``pauseAll()`` and
    /// ``resumeAll()``.
    public var foundationProgress: Foundation.Progress {
        let created = Foundation.Progress.made { [weak state] object, demand in
            guard let state, let queue = state.handle.queue as? NetworkQueue,
                queue.loop.access({ _ in state.foundationProgress === object })
            else { return }
            let group = NetworkQueue.Group(state)
            switch demand {
            case .cancel: group.cancelAll()
            case .pause: group.pauseAll()
            case .resume: group.resumeAll()
            }
        }
        guard let queue else { return created }
        return queue.loop.access { batch in
            if let existing = state.foundationProgress { return existing }
            guard !state.isGone else { return created }
            if state.isInPass { created.update(from: batch.progress(of: state, now: queue.timekeeper.now)) }
            state.foundationProgress = created
            return created
        }
    }

    /// Waits until every member has ended and the delegate has been told. Does not start the queue.
    ///
    /// Returns at once with the summary that was reported last if all members have ended, with an empty one if there
    /// have been none, and with the state so far if the task is canceled or the queue is reset. The queue stays alive
    /// meanwhile.
    public func summary() async -> NetworkQueue.Summary {
        guard let queue else { return state.latestSummary ?? NetworkQueue.Summary(counts: .init()) }
        await queue.stateWaiters.wait { [state, loop = queue.loop] in
            loop.access { _ in !state.isInPass && state.reportCount == 0 || state.isGone }
        }
        return queue.loop.access { batch in
            // Another pass may have begun since the end of that which was awaited.
            Task.isCancelled && state.isInPass
                ? state.summary(since: batch.record.startTime, now: queue.timekeeper.now)
                : state.latestSummary ?? NetworkQueue.Summary(counts: .init())
        }
    }
}
