import Foundation

/// What ``RequestQueue`` and ``NetworkQueue`` have in common: requests are added to it, and their responses can be
/// awaited.
///
/// In a `NetworkQueue` requests start after `go()`, so what is awaited there waits for it.
public protocol RequestQueueing: AnyObject, Sendable {
    /// Which requests run, in which order and how fast, all at one moment.
    var queueSettings: QueueSettings { get }
    /// What applies to requests that do not say themselves, all at one moment.
    var requestDefaults: RequestDefaults { get }
    /// Changes a setting, as the property of its name does.
    func change<Value: Sendable>(_ setting: WritableKeyPath<QueueSettings, Value> & Sendable, to value: Value)
    /// Changes a default, as the property of its name does.
    func change<Value: Sendable>(_ setting: WritableKeyPath<RequestDefaults, Value> & Sendable, to value: Value)

    /// Adds an operation. One that is in a queue already, or has been started, traps.
    func add(_ operation: RequestOperation)
    /// Adds requests in order and returns their operations.
    @discardableResult
    func add(contentsOf requests: some Sequence<NetworkRequest>) -> [RequestOperation]
    /// The operations that have not ended: first those that run, then those that wait, in the order in which they would
    /// start. O(n log n).
    var requests: [RequestOperation] { get }
    /// Cancels an operation, if it is in this queue. O(1).
    func cancel(_ operation: RequestOperation)
    /// Cancels every operation in the queue. What is added from now on is not affected.
    func cancelAll()
    /// Cancels the operations that have not started; those that run, or wait for a retry, go on to their end. O(n).
    ///
    /// What a service does that is to end: then it waits for the rest.
    func cancelWaiting()
    /// Suspends the queue and pauses every operation that runs, see ``RequestOperation/pause()``: no traffic is left.
    func pauseAll()
    /// Resumes the queue and every operation that ``pauseAll()`` has paused; not those that were paused singly.
    func resumeAll()
    /// Waits until the queue is empty, or the task is cancelled.
    func waitUntilEmpty() async
}

extension RequestQueueing {
    /// What has not ended, as data: first what runs, then what waits, in the order in which it would start. An app
    /// writes it down and adds it again after a relaunch. O(n log n).
    ///
    /// They have the present priorities, and whether an operation was paused singly.
    public var unfinishedRecords: [NetworkRequest.Record] {
        requests.map { operation in
            var request = operation.request
            request.priority = operation.priority
            var record = request.record
            record.isPaused = operation.isPausedSingly
            return record
        }
    }

    /// Adds the requests of records in order, those that were paused as paused ones, and returns their operations.
    @discardableResult
    public func add(contentsOf records: some Sequence<NetworkRequest.Record>) -> [RequestOperation] {
        records.map { record in
            let operation = RequestOperation(NetworkRequest(record))
            // Before, so that nothing is sent; and told once more to the queue, which did not know it then.
            if record.isPaused { operation.pause() }
            add(operation)
            if record.isPaused { operation.queue?.pause(operation) }
            return operation
        }
    }

    /// Adds a request and returns its operation. O(1).
    ///
    /// - Parameter completionHandler: see ``RequestOperation/completionHandler``.
    @discardableResult
    public func add(
        _ request: NetworkRequest, completionHandler: RequestOperation.CompletionHandler? = nil
    ) -> RequestOperation {
        let operation = RequestOperation(request)
        if let completionHandler { operation.completionHandler = completionHandler }
        add(operation)
        return operation
    }

    /// Adds Foundation's request and returns its operation. O(1).
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

    /// Cancels every operation in the queue whose request is `request`, wherever its response goes. O(n log n).
    public func cancel(_ request: URLRequest) {
        let request = NetworkRequest(request)
        for operation in requests where operation.request.sendsSame(as: request) { cancel(operation) }
    }
}
