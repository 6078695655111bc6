/// The accepted connections, what each is doing, and the greatest numbers of them. Plain state under the server's lock.
///
/// A count goes down before the client can know that it may: a request ends *before* its last byte is sent, or else a
/// client that starts the next one at once would be seen to have two at the same time. For the other direction, a
/// client that goes away without the server's doing, sockets are asked (`hungUpCount`) before a new peak is believed.
struct ConnectionTable {
    /// What a connection is doing.
    enum Phase {
        /// Waiting for a request's head.
        case idle
        /// A request has been read and its answer is not yet complete.
        case answering
        /// The last bytes of an answer are on their way.
        case finishing(thenCloses: Bool)
        /// Not open any more as far as the counts go. Until it has been shut down, the FIN has yet to be sent.
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
    /// How many count as closed though their FIN has yet to be sent.
    private(set) var beingClosed = 0
    private(set) var answering = 0
    private(set) var peakAnswering = 0

    private let hungUpCount: @Sendable ([Int32]) -> Int

    init(hungUpCount: @escaping @Sendable ([Int32]) -> Int) {
        self.hungUpCount = hungUpCount
    }

    /// The sockets of all connections.
    var descriptors: [Int32] { entries.values.map(\.descriptor) }

    /// Enters a new connection and returns its index.
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

    /// Removes a connection. Only after this may its socket be closed: until then others use the descriptor.
    mutating func remove(_ index: Int) {
        guard let entry = entries.removeValue(forKey: index) else { return }
        if entry.isOpen { open -= 1 }
        if entry.isBeingClosed { beingClosed -= 1 }
        if entry.isAnswering { answering -= 1 }
    }

    /// Notes which thread serves a connection.
    mutating func assign(_ index: Int, to thread: UInt) {
        entries[index]?.thread = thread
    }

    /// Whether a thread serves one of the connections.
    func isServed(by thread: UInt) -> Bool {
        entries.values.contains { $0.thread == thread }
    }

    /// A request's head has been read. False if the connection was hung up on in the meantime.
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

    /// The last bytes of an answer are about to be sent. Once per answer; a second call does nothing.
    mutating func finishAnswer(_ index: Int, closing: Bool) {
        guard let entry = entries[index], entry.isAnswering else { return }
        answering -= 1
        entries[index]?.phase = .finishing(thenCloses: false)
        if closing { close(index) }
    }

    /// The last bytes of an answer have been sent. False if the connection is to be closed now.
    mutating func becomeIdle(_ index: Int) -> Bool {
        guard case .finishing(thenCloses: false) = entries[index]?.phase else { return false }
        entries[index]?.phase = .idle
        return true
    }

    /// The connection is about to be closed without an answer under way.
    mutating func close(_ index: Int) {
        guard let entry = entries[index], entry.isOpen else { return }
        if entry.isAnswering { answering -= 1 }
        open -= 1
        beingClosed += 1
        entries[index]?.phase = .closing(isShutDown: false)
    }

    /// The FIN of a connection that is being closed has been sent.
    mutating func noteShutdown(_ index: Int) {
        guard entries[index]?.isBeingClosed == true else { return }
        beingClosed -= 1
        entries[index]?.phase = .closing(isShutDown: true)
    }

    /// Takes the idle connections out of service and returns their sockets, to be shut down under the same lock.
    ///
    /// One whose last bytes are on their way closes after them: the client may have received them already, and would
    /// be surprised to find the connection alive.
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
