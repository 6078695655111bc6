extension RequestQueue {
    /// Everything about a queue that changes.
    struct State: CoreQueueState {
        enum Own {
            /// The handlers of an operation that has ended are to be called.
            case report(RequestOperation)
        }

        typealias Effect = CoreEffect<Own>

        var core: QueueCore<RequestOperation>
        var upkeep: QueueUpkeep
        var outstandingCount = 0

        var isStarted: Bool { true }

        mutating func add(
            _ operation: RequestOperation, isParked: Bool, hash: UInt32?, now: Duration, into effects: inout [Effect]
        ) {
            outstandingCount += 1
            addToCore(operation, isParked: isParked, hash: hash, now: now, into: &effects)
        }

        mutating func end(
            _ operation: RequestOperation, with result: RequestResult, now: Duration, into effects: inout [Effect]
        ) {
            guard let end = operation.conclude(result) else { return }
            core.remove(operation)
            let isReported = operation.hasHandlers.load(ordering: .acquiring)
            effects.append(.settle(end, isReported: isReported))
            if isReported { effects.append(.own(.report(operation))) } else { outstandingCount -= 1 }
        }

        func deadline(of purpose: QueueUpkeep.Purpose) -> Duration? { purpose == .core ? core.wakeTime : nil }

        mutating func alarmDidRing(_ purpose: QueueUpkeep.Purpose, now: Duration, into effects: inout [Effect]) {
            core.wake(now: now)
        }
    }
}
