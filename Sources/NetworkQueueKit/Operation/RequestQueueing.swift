import Foundation

/// The common interface of ``RequestQueue`` and ``NetworkQueue``: add requests and await their responses.
///
/// In a `NetworkQueue` requests start after `go()`, so an awaited response waits for it.
public protocol RequestQueueing: AnyObject, Sendable {
    /// A snapshot of the settings that decide which requests run, in which order and how fast.
    var queueSettings: QueueSettings { get }
    /// A snapshot of the defaults for requests that do not set a value.
    var requestDefaults: RequestDefaults { get }
    /// Changes a setting. Assigning to the queue's property of the same name calls this.
    func change<Value: Sendable>(_ setting: WritableKeyPath<QueueSettings, Value> & Sendable, to value: Value)
    /// Changes a default. Assigning to the queue's property of the same name calls this.
    func change<Value: Sendable>(_ setting: WritableKeyPath<RequestDefaults, Value> & Sendable, to value: Value)

    /// Adds an operation. Traps if the operation is already in a queue or has been started.
    func add(_ operation: RequestOperation)
    /// Adds requests in order and returns their operations.
    @discardableResult
    func add(contentsOf requests: some Sequence<NetworkRequest>) -> [RequestOperation]
    /// Adds the requests of records in order and returns their operations. Paused ones are added paused.
    @discardableResult
    func add(contentsOf records: some Sequence<NetworkRequest.Record>) -> [RequestOperation]
    /// The operations that have not ended: first the running ones, then the waiting ones in the order in which they
    /// would start, then those that are paused or wait for a retry or a dependency. O(n log n).
    var requests: [RequestOperation] { get }
    /// The number of operations that have not ended. O(1).
    var requestCount: Int { get }
    /// Whether waiting requests are kept from starting. Running requests continue; setting it to `false` starts waiting
    /// ones at once.
    var isSuspended: Bool { get set }
    /// Cancels an operation if it is in this queue. O(1).
    func cancel(_ operation: RequestOperation)
    /// Cancels every operation in the queue. Operations added later are not affected.
    func cancelAll()
    /// Cancels the operations that have not started. Operations that run or wait for a retry continue. O(n).
    ///
    /// Use this for a graceful shutdown, then wait for the rest.
    func cancelWaiting()
    /// Suspends the queue and pauses every running operation, like ``RequestOperation/pause()``. No traffic remains.
    ///
    /// Returns before the operations have stopped; see ``waitUntilPaused()``.
    func pauseAll()
    /// Waits until nothing runs in the suspended queue, for an app that is about to be suspended:
    ///
    /// ```swift
    /// queue.pauseAll()
    /// await queue.waitUntilPaused()
    /// ```
    ///
    /// Then no exchange runs, and the parts of downloads and what belongs to them are in their files. Only a download
    /// into a sink and content that is read as a stream keep their connections. The method waits also for hooks and for
    /// a delegate that are being asked, and for complete content that is being stored. It returns at once if nothing
    /// runs.
    ///
    /// - Returns: `true` if all of that holds; `false` if the queue was not suspended or has been resumed, or if the
    ///   task was canceled.
    @discardableResult
    func waitUntilPaused() async -> Bool
    /// Resumes the queue and every operation that ``pauseAll()`` paused. Operations that were paused individually stay
    /// paused.
    func resumeAll()
    /// Waits until the queue is empty or the task is canceled.
    func waitUntilEmpty() async
}

extension RequestQueueing {
    /// The requests that have not ended, as data, in order: first those that have been started, even if they are paused
    /// or wait for a retry, then the others in the order of ``requests``. An app can store them and add them again after
    /// a relaunch. O(n log n).
    ///
    /// They include the current priorities, and whether an operation was paused individually.
    public var unfinishedRecords: [NetworkRequest.Record] {
        let requests = requests
        // Paused operations are in `requests` in the order in which their exchanges happened to end.
        let isReversed = mode == .lastInFirstOut
        let started = requests.filter(\.hasStarted).sorted { isReversed ? $0.id > $1.id : $0.id < $1.id }
        return (started + requests.filter { !$0.hasStarted }).map { operation in
            var request = operation.request
            request.priority = operation.priority
            var record = request.record
            record.isPaused = operation.isPausedSingly
            return record
        }
    }

    /// Adds a request and returns its operation. O(1).
    ///
    /// - Parameters:
    ///   - request: the request to run.
    ///   - completionHandler: see ``RequestOperation/completionHandler``.
    @discardableResult
    public func add(
        _ request: NetworkRequest, completionHandler: RequestOperation.CompletionHandler? = nil
    ) -> RequestOperation {
        let operation = RequestOperation(request)
        if let completionHandler { operation.completionHandler = completionHandler }
        add(operation)
        return operation
    }

    /// Adds a `URLRequest` and returns its operation. O(1).
    @discardableResult
    public func add(
        _ request: URLRequest, completionHandler: RequestOperation.CompletionHandler? = nil
    ) -> RequestOperation {
        add(NetworkRequest(request), completionHandler: completionHandler)
    }

    /// Adds a GET for `url` and returns its operation. O(1).
    @discardableResult
    public func add(_ url: URL, completionHandler: RequestOperation.CompletionHandler? = nil) -> RequestOperation {
        add(NetworkRequest(url), completionHandler: completionHandler)
    }

    /// Adds requests in order and returns their operations.
    @discardableResult
    public func add(contentsOf requests: some Sequence<NetworkRequest>) -> [RequestOperation] {
        requests.map { add($0) }
    }

    /// Adds the requests of records in order and returns their operations. Paused ones are added paused.
    @discardableResult
    public func add(contentsOf records: some Sequence<NetworkRequest.Record>) -> [RequestOperation] {
        let operations = records.map { RequestOperation($0) }
        for operation in operations { add(operation) }
        return operations
    }

    /// Cancels every operation in the queue with the same URL, method, header fields and timeouts, whatever its
    /// destination. A ``NetworkRequest/body`` is not compared. O(n log n).
    public func cancel(_ request: URLRequest) {
        let request = NetworkRequest(request)
        for operation in requests where operation.request.sendsSame(as: request) { cancel(operation) }
    }
}

extension RequestOperation {
    /// Creates an operation from a record. If it is to be added paused, it is paused already, so that nothing is sent.
    convenience init(_ record: NetworkRequest.Record) {
        self.init(NetworkRequest(record))
        if record.isPaused { pause() }
    }
}
