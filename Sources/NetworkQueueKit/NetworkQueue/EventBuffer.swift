/// Events on their way to one listener, which takes them at its own speed.
///
/// Memory is bounded: of unread updates only the newest of each run is kept, of the progress of an operation the newest,
/// and a listener that leaves more than ``capacity`` others unread gets those and no more.
final class EventBuffer: Sendable {
    typealias Event = NetworkQueue.Event

    /// How many events other than updates may be unread.
    static let capacity = 16_384

    private struct State {
        /// `nil` where an update has been replaced by a newer one.
        var events: [Event?] = []
        /// Where the next event is in `events`.
        var position = 0
        /// How many events are unread that are no updates.
        var unreadCount = 0
        /// Where the latest unread update is, as long as no drain has come after it.
        var updateIndex: Int?
        /// Where the latest unread progress of each operation is.
        var progressIndices: [RequestID: Int] = [:]
        var isFinished = false
        var readers: [CheckedContinuation<Event?, Never>] = []

        mutating func take() -> Event? {
            while position < events.count {
                let event = events[position].take()
                if updateIndex == position { updateIndex = nil }
                position += 1
                guard let event else { continue }
                if case .didProgress(let operation, _) = event { progressIndices[operation.id] = nil }
                if !event.isUpdate { unreadCount -= 1 }
                return event
            }
            events.removeAll(keepingCapacity: true)
            position = 0
            return nil
        }

        mutating func append(_ event: Event) {
            // What has been read is moved out of the way when it is more than what has not.
            if position > 64, position > events.count / 2 {
                events.removeFirst(position)
                updateIndex = updateIndex.map { $0 - position }
                progressIndices = progressIndices.mapValues { $0 - position }
                position = 0
            }
            switch event {
            case .didUpdate:
                if let updateIndex, updateIndex == events.count - 1 {
                    events[updateIndex] = event
                    return
                }
                if let updateIndex { events[updateIndex] = nil }
                updateIndex = events.count
            case .didProgress(let operation, _):
                if let index = progressIndices[operation.id] { events[index] = nil }
                progressIndices[operation.id] = events.count
            case .queueDidFinish:
                // The last update before it belongs to it.
                updateIndex = nil
                unreadCount += 1
            default:
                unreadCount += 1
            }
            events.append(event)
        }
    }

    /// Whether it outlives the drain.
    let isAcrossRuns: Bool
    private let onEnd: @Sendable () -> Void
    private let state = Guarded(State())

    /// - Parameter onEnd: called when the listener has ended it, or has been left behind; not by ``finish()``.
    init(isAcrossRuns: Bool, onEnd: @escaping @Sendable () -> Void) {
        self.isAcrossRuns = isAcrossRuns
        self.onEnd = onEnd
    }

    /// The events as a sequence. Letting go of it ends it.
    var stream: AsyncStream<Event> {
        let reader = Reader(self)
        return AsyncStream {
            await reader.buffer.next()
        } onCancel: {
            reader.buffer.end()
        }
    }

    /// Ends the buffer when the last reference to the sequence goes.
    private final class Reader: Sendable {
        let buffer: EventBuffer

        init(_ buffer: EventBuffer) {
            self.buffer = buffer
        }

        deinit { buffer.end() }
    }

    /// Adds an event.
    func yield(_ event: Event) {
        let (reader, hasOverflowed) = state.withLock { state -> (CheckedContinuation<Event?, Never>?, Bool) in
            guard !state.isFinished else { return (nil, false) }
            if !state.readers.isEmpty { return (state.readers.removeFirst(), false) }
            if state.unreadCount >= Self.capacity, !event.isUpdate {
                state.isFinished = true
                return (nil, true)
            }
            state.append(event)
            return (nil, false)
        }
        reader?.resume(returning: event)
        if hasOverflowed { onEnd() }
    }

    /// No more events come. What is unread stays to be read.
    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.resume(returning: nil) }
    }

    /// The listener wants no more.
    private func end() {
        finish()
        let unread = state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
        // Events own operations, whose ends may come back here.
        withExtendedLifetime(unread) {}
        onEnd()
    }

    private func next() async -> Event? {
        await withCheckedContinuation { reader in
            let event = state.withLock { state -> Event?? in
                if let event = state.take() { return event }
                if state.isFinished { return .some(nil) }
                state.readers.append(reader)
                return nil
            }
            if let event { reader.resume(returning: event) }
        }
    }
}

extension NetworkQueue.Event {
    fileprivate var isUpdate: Bool {
        switch self {
        case .didUpdate, .didProgress: true
        default: false
        }
    }
}
