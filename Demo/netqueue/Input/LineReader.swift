import Foundation

/// Reads complete lines from a descriptor as they arrive.
///
/// Lines that are written without a pause are delivered together. An existing list is therefore known completely before
/// anything starts, and a line is never separated from the indented lines below it.
struct LineReader: Sendable {
    private let descriptor: Int32
    /// A descriptor that becomes readable when reading must end.
    private let stop: Int32?
    private let pause: Duration
    private let patience: Duration
    /// The bytes that have been read but not delivered.
    private var pending: [UInt8] = []
    /// The offset of the last line, which has no end yet.
    private var lastLine = 0
    /// Whether everything has been read.
    private(set) var isAtEnd = false

    /// - Parameters:
    ///   - stop: A descriptor that becomes readable when reading must end; complete lines are still delivered.
    ///   - pause: The silence after which complete lines are delivered.
    ///   - patience: The time after which complete entries are delivered even without a silence.
    init(
        descriptor: Int32, stop: Int32? = nil, pause: Duration = .milliseconds(100),
        patience: Duration = .milliseconds(500)
    ) {
        self.descriptor = descriptor
        self.stop = stop
        self.pause = pause
        self.patience = patience
    }

    /// Waits for the next lines; returns `nil` at the end.
    mutating func next() throws(POSIXError) -> [UInt8]? {
        var start: ContinuousClock.Instant?
        while !isAtEnd {
            var limit: Duration?
            if lastLine > 0 {
                let first = start ?? .now
                start = first
                let isLate = first.duration(to: .now) > patience
                if isLate, let whole = Self.endOfWholeEntries(pending) { return take(whole) }
                limit = pause
            }
            switch wait(atMost: limit) {
            case .readable: try read()
            case .silent: return take(lastLine)
            case .stopped:
                isAtEnd = true
                pending.removeLast(pending.count - lastLine)
            }
        }
        return pending.isEmpty ? nil : take(pending.count)
    }

    private static let feed = UInt8(ascii: "\n")

    /// The offset of the last line that is not indented; `nil` if no line precedes it.
    private static func endOfWholeEntries(_ bytes: [UInt8]) -> Int? {
        var end = bytes.count
        while let feed = bytes[..<end].lastIndex(of: feed) {
            if feed + 1 < bytes.count, ![UInt8(ascii: " "), UInt8(ascii: "\t")].contains(bytes[feed + 1]) {
                return feed + 1
            }
            end = feed
        }
        return nil
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        let rest = Array(pending[count...])
        defer {
            pending = rest
            lastLine = max(lastLine - count, 0)
        }
        pending.removeLast(rest.count)
        return pending
    }

    private enum Readiness {
        case readable, silent, stopped
    }

    /// Waits until there is something to read.
    private func wait(atMost time: Duration?) -> Readiness {
        var entries = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        if let stop { entries.append(pollfd(fd: stop, events: Int16(POLLIN), revents: 0)) }
        while true {
            let count = poll(&entries, nfds_t(entries.count), time.map { Int32($0 / .milliseconds(1)) } ?? -1)
            if count < 0, errno == EINTR { continue }
            if entries.count > 1, entries[1].revents != 0 { return .stopped }
            return count == 0 ? .silent : .readable
        }
    }

    private mutating func read() throws(POSIXError) {
        let size = 65_536
        let count = withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
            var count: Int
            repeat { count = Foundation.read(descriptor, buffer.baseAddress, size) } while count < 0 && errno == EINTR
            guard count > 0 else { return count }
            if let feed = buffer[..<count].lastIndex(of: Self.feed) { lastLine = pending.count + feed + 1 }
            pending.append(contentsOf: buffer[..<count])
            return count
        }
        if count < 0 { throw .last }
        // An endless line would fill the memory.
        if pending.count - lastLine > URLList.longestLine + size { throw POSIXError(.EMSGSIZE) }
        isAtEnd = count == 0
    }
}
