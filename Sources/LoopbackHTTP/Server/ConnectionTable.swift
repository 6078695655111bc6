/// The accepted connections, the phase of each, and current and peak counts. Plain state, guarded by the server's lock.
///
/// A count is decremented before the client can act on the event. A request ends *before* its last byte is sent;
/// otherwise a client that starts the next request at once would appear to have two in flight. A client may also hang
/// up without the server having noticed, so the sockets are polled (`hungUpCount`) before a new peak is recorded.
struct ConnectionTable {
    /// The activity of a connection.
    enum Phase {
        /// Waiting for a request's head.
        case idle
        /// The server has read a request's head and has not completed its answer.
        case answering
        /// The server is sending the last bytes of an answer.
        case finishing(thenCloses: Bool)
        /// No longer counted as open. Until `isShutDown`, the server has yet to send the FIN.
        case closing(isShutDown: Bool)
    }

    private struct Entry {
        let descriptor: Int32
        var phase = Phase.idle
        var thread: UInt?

        var isOpen: Bool { if case .closing = phase { false } else { true } }
        var isBeingClosed: Bool { if case .closing(isShutDown: false) = phase { true } else { false } }
        var isAnswering: Bool { if case .answering = phase { true } else { false } }
    }

    private var entries: [Int: Entry] = [:]
    private(set) var accepted = 0
    private(set) var open = 0
    private(set) var peakOpen = 0
    /// The number of connections that count as closed although their FIN has yet to be sent.
    private(set) var beingClosed = 0
    private(set) var answering = 0
    private(set) var peakAnswering = 0

    private let hungUpCount: @Sendable ([Int32]) -> Int

    init(hungUpCount: @escaping @Sendable ([Int32]) -> Int) {
        self.hungUpCount = hungUpCount
    }

    /// The sockets of all connections.
    var descriptors: [Int32] { entries.values.map(\.descriptor) }

    /// Adds a connection and returns its index.
    mutating func add(_ descriptor: Int32) -> Int {
        let index = accepted
        entries[index] = Entry(descriptor: descriptor)
        accepted += 1
        open += 1
        if open > peakOpen {
            let gone = hungUpCount(entries.values.filter(\.isOpen).map(\.descriptor))
            peakOpen = max(peakOpen, open - gone)
        }
        return index
    }

    /// Removes a connection. Its socket must be closed after this call, not before: until then other threads use the
    /// descriptor.
    mutating func remove(_ index: Int) {
        guard let entry = entries.removeValue(forKey: index) else { return }
        if entry.isOpen { open -= 1 }
        if entry.isBeingClosed { beingClosed -= 1 }
        if entry.isAnswering { answering -= 1 }
    }

    /// Records the thread that serves a connection.
    mutating func assign(_ index: Int, to thread: UInt) {
        entries[index]?.thread = thread
    }

    /// Whether a thread serves one of the connections.
    func isServed(by thread: UInt) -> Bool {
        entries.values.contains { $0.thread == thread }
    }

    /// Records that a request's head has been read. Returns false if the connection has been closed in the meantime.
    mutating func beginAnswer(_ index: Int) -> Bool {
        guard case .idle = entries[index]?.phase else { return false }
        entries[index]?.phase = .answering
        answering += 1
        if answering > peakAnswering {
            let gone = hungUpCount(entries.values.filter(\.isAnswering).map(\.descriptor))
            peakAnswering = max(peakAnswering, answering - gone)
        }
        return true
    }

    /// Records that the last bytes of an answer are about to be sent. A second call for the same answer does nothing.
    mutating func finishAnswer(_ index: Int, closing: Bool) {
        guard let entry = entries[index], entry.isAnswering else { return }
        answering -= 1
        entries[index]?.phase = .finishing(thenCloses: false)
        if closing { close(index) }
    }

    /// Records that the last bytes of an answer have been sent. Returns false if the connection must now be closed.
    mutating func becomeIdle(_ index: Int) -> Bool {
        guard case .finishing(thenCloses: false) = entries[index]?.phase else { return false }
        entries[index]?.phase = .idle
        return true
    }

    /// Records that a connection is about to be closed.
    mutating func close(_ index: Int) {
        guard let entry = entries[index], entry.isOpen else { return }
        if entry.isAnswering { answering -= 1 }
        open -= 1
        beingClosed += 1
        entries[index]?.phase = .closing(isShutDown: false)
    }

    /// Records that the FIN of a closing connection has been sent.
    mutating func noteShutdown(_ index: Int) {
        guard entries[index]?.isBeingClosed == true else { return }
        beingClosed -= 1
        entries[index]?.phase = .closing(isShutDown: true)
    }

    /// Marks the idle connections as closed and returns their sockets, which the caller shuts down under the same lock.
    ///
    /// A connection that is sending the last bytes of an answer closes after them: its client may already have received
    /// them and must not find the connection alive.
    mutating func closeIdle() -> [Int32] {
        var descriptors: [Int32] = []
        for (index, entry) in entries {
            switch entry.phase {
            case .idle:
                close(index)
                noteShutdown(index)
                descriptors.append(entry.descriptor)
            case .finishing: entries[index]?.phase = .finishing(thenCloses: true)
            case .answering, .closing: break
            }
        }
        return descriptors
    }
}
