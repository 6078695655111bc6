import Foundation

/// Checks a part, which it reads from its beginning while the rest of it is written, so that little is left to read at
/// the end. The bytes that it was told of must not change any more.
final class PartCheck: @unchecked Sendable {  // see `condition`
    /// How many bytes gather before a thread is woken, and how many are read before `stop()` is noticed.
    private static let pieceLength: Int64 = 1 << 20

    private let part: PartFile
    /// Guards the properties below. The thread that has set `isReading` uses `check` without the lock.
    private let condition = NSCondition()
    private var check: ContentCheck
    /// The end of the bytes that were read.
    private var position: Int64 = 0
    /// The end of the bytes that may be read.
    private var end: Int64 = 0
    private var isScheduled = false
    private var isReading = false
    private var isStopped = false
    private var failure: NetworkError?

    init(_ part: PartFile, _ check: ContentCheck) {
        self.part = part
        self.check = check
    }

    /// Reads the bytes up to `end` in the background.
    func noteWritten(upTo end: Int64) {
        condition.lock()
        self.end = max(self.end, end)
        let mustSchedule = !isScheduled && !isStopped && self.end - position >= Self.pieceLength
        if mustSchedule { isScheduled = true }
        condition.unlock()
        if mustSchedule { FileSink.queue.async { [self] in read() } }
    }

    /// Reads what is left of the part on this thread, and checks all of it.
    func verify() throws(NetworkError) {
        noteWritten(upTo: part.length)
        read()
        condition.lock()
        let (failure, isWhole) = (failure, position == end)
        condition.unlock()
        if let failure { throw failure }
        guard isWhole else { throw .cancelled }
        try check.verify()
    }

    /// Waits for the piece that is being read. Then nothing reads the part any more, so it may be closed.
    func stop() {
        condition.lock()
        isStopped = true
        while isReading { condition.wait() }
        condition.unlock()
    }

    private func read() {
        condition.lock()
        while !isStopped, position < end {
            if isReading { condition.wait() } else { readPiece() }
        }
        isScheduled = false
        condition.unlock()
    }

    /// Reads the next piece; releases the lock meanwhile.
    private func readPiece() {
        isReading = true
        let piece = position..<min(end, position + Self.pieceLength)
        condition.unlock()
        let outcome = Result { () throws(NetworkError) in
            try part.forEachChunk(in: piece) { bytes throws(NetworkError) in try check.update(bytes) }
        }
        condition.lock()
        isReading = false
        position = piece.upperBound
        if case .failure(let error) = outcome {
            failure = error
            isStopped = true
        }
        condition.broadcast()
    }
}
