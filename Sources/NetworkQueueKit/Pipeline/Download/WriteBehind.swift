import Foundation

/// Writes large pieces of content to a file on another thread, while the transport receives the next.
///
/// Small pieces are written at once: they come where the network is slow, and a thread that has to be woken costs more.
/// So the end of the process loses what comes in `maximumWait` and in the time of two writes, and never more than two
/// buffers.
final class WriteBehind: @unchecked Sendable {  // see `condition`
    /// From this size on pieces are gathered. What libcurl has received at a time it hands over in pieces of 16 KiB, up
    /// to 7.88 at least.
    private static let smallestPiece = 16 * 1024
    /// How long less than a batch waits for more: on a slow network the end of the process would else lose what has
    /// come in seconds.
    private static let maximumWait = DispatchTimeInterval.milliseconds(50)

    private let store: @Sendable (UnsafeRawBufferPointer) throws(NetworkError) -> Void
    private let bufferSize: Int
    private let batchSize: Int
    /// Guards all below; storing belongs to the thread that has set `isWriting`, otherwise to that which hands content
    /// over.
    private let condition = NSCondition()
    private var waiting: [UInt8] = []
    /// The buffer that is being written, or was.
    private var piece: [UInt8] = []
    private var isWriting = false
    /// Whether `writeBehind()` has been put on the queue and has not ended.
    private var isScheduled = false
    /// Whether what waits will be written though no more comes.
    private var isTimed = false
    private var failure: NetworkError?
    private var ending: (@Sendable (NetworkError?) -> Void)?

    /// - Parameters:
    ///   - bufferSize: so much may wait while as much is being written; then the transport's thread waits, as it does for a
    ///     disk that is slow. Half of it is worth waking a thread.
    ///   - store: writes the next bytes.
    init(
        bufferSize: Int = 512 * 1024, _ store: @escaping @Sendable (UnsafeRawBufferPointer) throws(NetworkError) -> Void
    ) {
        self.bufferSize = bufferSize
        batchSize = bufferSize / 2
        self.store = store
    }

    /// Takes the next bytes; throws what an earlier piece has failed with.
    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
        condition.lock()
        makeRoom(for: bytes.count)
        if let failure {
            condition.unlock()
            throw failure
        }
        guard isWriting || !waiting.isEmpty || bytes.count >= Self.smallestPiece else {
            condition.unlock()
            return try store(bytes)
        }
        waiting.append(contentsOf: bytes)
        let mustSchedule = !isScheduled && waiting.count >= batchSize
        if mustSchedule { isScheduled = true }
        let mustTime = !isScheduled && !isTimed
        if mustTime { isTimed = true }
        condition.unlock()
        if mustSchedule { FileSink.queue.async { [self] in writeBehind() } }
        if mustTime {
            FileSink.queue.asyncAfter(deadline: .now() + Self.maximumWait) { [weak self] in self?.writeLate() }
        }
    }

    /// Calls `body` on a thread for files when all is written, with what has gone wrong. Nothing is written afterwards.
    func whenWritten(_ body: @escaping @Sendable (NetworkError?) -> Void) {
        condition.lock()
        ending = body
        let mustSchedule = !isScheduled
        isScheduled = true
        condition.unlock()
        if mustSchedule { FileSink.queue.async { [self] in writeBehind() } }
    }

    /// Returns when all is written, or has failed to be.
    func settle() {
        condition.lock()
        makeRoom(for: bufferSize + 1)
        while isWriting { condition.wait() }
        condition.unlock()
    }

    /// Waits for the piece that is being written, and forgets the rest.
    func drop() {
        condition.lock()
        waiting = []
        while isWriting { condition.wait() }
        condition.unlock()
    }

    /// Waits until so many bytes may wait. Writes by itself what no other thread has begun to: all may be taken by
    /// those that wait for this one.
    private func makeRoom(for count: Int) {
        while !waiting.isEmpty, waiting.count + count > bufferSize {
            if isWriting { condition.wait() } else { writeWaiting() }
        }
    }

    private func writeLate() {
        condition.lock()
        isTimed = false
        let mustWrite = !isScheduled && !waiting.isEmpty
        if mustWrite { isScheduled = true }
        condition.unlock()
        if mustWrite { writeBehind() }
    }

    private func writeBehind() {
        condition.lock()
        while !waiting.isEmpty, !isWriting { writeWaiting() }
        isScheduled = false
        let (ending, failure) = (ending, failure)
        self.ending = nil
        condition.unlock()
        ending?(failure)
    }

    /// Writes what waits, without the lock meanwhile.
    private func writeWaiting() {
        isWriting = true
        swap(&piece, &waiting)
        condition.broadcast()
        condition.unlock()
        let outcome = piece.withUnsafeBytes { bytes in
            Result { () throws(NetworkError) in try store(bytes) }
        }
        condition.lock()
        piece.removeAll(keepingCapacity: true)
        isWriting = false
        if case .failure(let error) = outcome {
            failure = error
            waiting = []
        }
        condition.broadcast()
    }
}
