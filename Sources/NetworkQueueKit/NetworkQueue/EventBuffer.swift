/// A bounded buffer of events for one listener, which reads at its own speed.
///
/// Of unread updates, only the newest of each run is kept, and only the newest progress of each operation. A listener
/// that leaves more than ``capacity`` other events unread gets those and no more.
final class EventBuffer: Sendable {
    typealias Event = NetworkQueue.Event

    /// The maximum number of unread events, not counting updates.
    static let capacity = 16_384

    private struct State {
        /// `nil` if a newer update has replaced the event.
        var events: [Event?] = []
        /// The index in `events` of the next event to read.
        var position = 0
        /// The number of unread events, not counting updates.
        var unreadCount = 0
        /// The index of the latest unread update, if no drain has come after it.
        var updateIndex: Int?
        /// The index of the latest unread progress of each operation.
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
            // Drop the events that have been read once they outnumber the others.
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
                // The last update before the drain is kept with it.
                updateIndex = nil
                unreadCount += 1
            default:
                unreadCount += 1
            }
            events.append(event)
        }
    }

    /// Whether the stream stays open after a drain.
    let isAcrossRuns: Bool
    private let onEnd: @Sendable (EventBuffer) -> Void
    private let state = Guarded(State())

    /// - Parameter onEnd: called when the listener ends the stream or falls too far behind; not called by ``finish()``.
    init(isAcrossRuns: Bool, onEnd: @escaping @Sendable (EventBuffer) -> Void) {
        self.isAcrossRuns = isAcrossRuns
        self.onEnd = onEnd
    }

    /// The events as a sequence. Releasing the sequence ends the buffer.
    var stream: AsyncStream<Event> {
        let reader = Reader(self)
        return AsyncStream {
            await reader.buffer.next()
        } onCancel: {
            reader.buffer.end()
        }
    }

    /// Ends the buffer when the last reference to the sequence is released.
    private final class Reader: Sendable {
        let buffer: EventBuffer

        init(_ buffer: EventBuffer) {
            self.buffer = buffer
        }

        deinit { buffer.end() }
    }

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
        if hasOverflowed { onEnd(self) }
    }

    /// Ends the stream. Unread events can still be read.
    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.resume(returning: nil) }
    }

    /// Ends the buffer for the listener, and discards what is unread.
    private func end() {
        finish()
        let unread = state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
        // Outside the lock: events own operations, whose deinitializers may call back here.
        withExtendedLifetime(unread) {}
        onEnd(self)
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
