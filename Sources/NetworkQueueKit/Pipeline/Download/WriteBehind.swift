import Foundation

/// Writes large pieces of content to a file on another thread while the transport receives the next ones.
///
/// Small pieces are written at once: they come from slow networks, and waking a thread would cost more. If the process
/// dies, at most two buffers are lost, and no more than what arrives in `maximumWait` and during two writes.
final class WriteBehind: @unchecked Sendable {  // see `condition`
    /// The smallest piece that is gathered. libcurl, at least up to 7.88, delivers received data in pieces of 16 KiB.
    private static let smallestPiece = 16 * 1024
    /// How long less than a batch waits for more. On a slow network this limits how much is lost if the process ends.
    private static let maximumWait = DispatchTimeInterval.milliseconds(50)

    private let store: @Sendable (UnsafeRawBufferPointer) throws(NetworkError) -> Void
    private let bufferSize: Int
    private let batchSize: Int
    /// Guards everything below. Only one thread stores bytes at a time: the one that set `isWriting`, or else the one
    /// that hands content over.
    private let condition = NSCondition()
    private var waiting: [UInt8] = []
    /// The buffer that is being written or was written last.
    private var piece: [UInt8] = []
    private var isWriting = false
    /// Whether `writeBehind()` is queued or running.
    private var isScheduled = false
    /// Whether a timer will write the waiting bytes even if no more arrive.
    private var isTimed = false
    private var failure: NetworkError?
    private var ending: (@Sendable (NetworkError?) -> Void)?

    /// - Parameters:
    ///   - bufferSize: the number of bytes that may wait while as many are being written. Beyond that the transport's
    ///     thread waits. Half of it is a batch, for which a thread is woken.
    ///   - store: writes the next bytes.
    init(
        bufferSize: Int = 512 * 1024, _ store: @escaping @Sendable (UnsafeRawBufferPointer) throws(NetworkError) -> Void
    ) {
        self.bufferSize = bufferSize
        batchSize = bufferSize / 2
        self.store = store
    }

    /// Takes the next bytes. Throws the error of an earlier write.
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

    /// Calls `body` on a file thread once everything is written, with the error if a write failed. Nothing is written
    /// afterwards.
    func whenWritten(_ body: @escaping @Sendable (NetworkError?) -> Void) {
        condition.lock()
        ending = body
        let mustSchedule = !isScheduled
        isScheduled = true
        condition.unlock()
        if mustSchedule { FileSink.queue.async { [self] in writeBehind() } }
    }

    /// Waits until everything is written or a write has failed.
    func settle() {
        condition.lock()
        makeRoom(for: bufferSize + 1)
        while isWriting { condition.wait() }
        condition.unlock()
    }

    /// Waits for the piece that is being written, and discards the rest.
    func drop() {
        condition.lock()
        waiting = []
        while isWriting { condition.wait() }
        condition.unlock()
    }

    /// Waits until `count` more bytes fit. Writes waiting bytes itself if no other thread does, because all other
    /// threads may be blocked waiting for this one.
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

    /// Writes the waiting bytes; releases the lock meanwhile.
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
