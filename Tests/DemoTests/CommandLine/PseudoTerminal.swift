import Foundation
import NetworkQueueKit
import Testing

/// A terminal for a program under test, whose screen is kept as the text that was sent to it.
final class PseudoTerminal {
    private struct State {
        /// What was sent while the terminal had a width, for one width after the other.
        var pieces: [(columns: Int, bytes: [UInt8])]
        var waiting: [(isSatisfied: @Sendable (String) -> Bool, done: CheckedContinuation<String, Never>)] = []
        var hasEnded = false

        var text: String { String(decoding: pieces.flatMap(\.bytes), as: UTF8.self) }

        func count(of text: String) -> Int { self.text.components(separatedBy: text).count - 1 }

        /// Takes those out that wait no longer; returns what wakes them.
        mutating func takeSatisfied() -> () -> Void {
            var satisfied: [CheckedContinuation<String, Never>] = []
            let (waiting, text) = (waiting, text)
            self.waiting = waiting.filter { entry in
                guard hasEnded || entry.isSatisfied(text) else { return true }
                satisfied.append(entry.done)
                return false
            }
            return { for done in satisfied { done.resume(returning: text) } }
        }
    }

    /// The program's end, until it has been handed to the program.
    let device: FileHandle
    private let devicePath: String
    private let primary: Int32
    private let rows: Int
    private let state: Guarded<State>
    private let end: Task<Void, Never>

    init(columns: Int, rows: Int = 24) throws {
        var ends: (primary: Int32, device: Int32) = (-1, -1)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        try #require(openpty(&ends.primary, &ends.device, &path, nil, &size) == 0)
        // Programs of other tests must not inherit them: a terminal ends when its last device is closed.
        for descriptor in [ends.primary, ends.device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        primary = ends.primary
        devicePath = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.rows = rows
        device = FileHandle(fileDescriptor: ends.device, closeOnDealloc: true)
        state = Guarded(State(pieces: [(columns, [])]))
        end = Self.read(ends.primary, to: state)
    }

    deinit { close(primary) }

    /// Leaves the device to a program that has been started with it. What waits for something to be sent does so until
    /// the program ends.
    func handOver() throws { try device.close() }

    /// Everything that the program has sent, once it has ended. The device has been handed over.
    func text() async -> String {
        await end.value
        return state.withLock { $0.text }
    }

    /// What one sees of all that has been sent.
    var screen: VirtualTerminal {
        let pieces = state.withLock { $0.pieces }
        var screen = VirtualTerminal(columns: pieces[0].columns)
        for (index, piece) in pieces.enumerated() {
            if index > 0 { screen.resize(columns: piece.columns) }
            screen.feed(String(decoding: piece.bytes, as: UTF8.self))
        }
        return screen
    }

    /// Types on its keyboard.
    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(primary, $0.baseAddress, $0.count) }
    }

    /// Whether it shows what is typed.
    var hasEcho: Bool {
        var settings = termios()
        return tcgetattr(primary, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// How many frames have been sent.
    var frameCount: Int { state.withLock { $0.count(of: Self.endOfFrame) } }

    /// Waits until so many frames have been sent in all, or the program has ended.
    func wait(forFrames count: Int) async { await wait(for: Self.endOfFrame, count: count) }

    /// Waits until the program has sent `text` so many times, or has ended.
    func wait(for text: String, count: Int = 1) async {
        await wait { $0.components(separatedBy: text).count > count }
    }

    /// Waits until all that the program has sent satisfies a condition, or it has ended; returns what it had sent then.
    /// The caller may get its turn much later.
    @discardableResult
    func wait(until isSatisfied: @escaping @Sendable (String) -> Bool) async -> String {
        await withCheckedContinuation { done in
            let wake = state.withLock { state in
                state.waiting.append((isSatisfied, done))
                return state.takeSatisfied()
            }
            wake()
        }
    }

    // Wrapping is off while a frame is written.
    private static let startOfFrame = "\u{1B}[?7l"
    private static let endOfFrame = "\u{1B}[?7h"

    /// Stops the program when all of its latest frames, up to `count` of them, are as long as the last. Those from
    /// before the terminal had its present width are not looked at. Returns how many frames have been sent in all.
    func stop(_ process: Int32, whereEqualFrames count: Int) async throws -> Int {
        while true {
            kill(process, SIGSTOP)
            var change = siginfo_t()
            // One that has ended is left to be waited for.
            waitid(P_PID, id_t(process), &change, WSTOPPED | WEXITED | WNOWAIT)
            try #require(change.si_code == Int32(CLD_STOPPED), "the program has ended")
            try await waitForAllSent()
            let (frames, lengths) = state.withLock { state in
                let piece = String(decoding: state.pieces[state.pieces.count - 1].bytes, as: UTF8.self)
                let latest = piece.components(separatedBy: Self.endOfFrame).dropLast().suffix(count)
                return (
                    state.count(of: Self.endOfFrame),
                    latest.map { $0.components(separatedBy: Self.startOfFrame).last?.count }
                )
            }
            if Set(lengths).count == 1 { return frames }
            kill(process, SIGCONT)
            await wait(forFrames: frames + 1)
        }
    }

    /// Gives the terminal another width, for what is sent from now on. The program should stand still meanwhile.
    func resize(columns: Int) async throws {
        try await waitForAllSent()
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(primary, UInt(TIOCSWINSZ), &size) == 0)
        state.withLock { $0.pieces.append((columns, [])) }
    }

    /// Waits until what has been sent up to now has been read.
    private func waitForAllSent() async throws {
        let mark = "\u{1B}]mark \(UUID())\u{1B}\\"
        let device = open(devicePath, O_WRONLY | O_NOCTTY | O_CLOEXEC)
        try #require(device >= 0)
        try FileHandle(fileDescriptor: device, closeOnDealloc: true).write(contentsOf: Data(mark.utf8))
        await wait(for: mark)
    }

    /// Reads until the other end is closed everywhere, which is an error on Linux and an end on Darwin.
    private static func read(_ descriptor: Int32, to state: Guarded<State>) -> Task<Void, Never> {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        // A queue of Dispatch would do it on one of the few threads that tests share.
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = Foundation.read(descriptor, &buffer, buffer.count)
                let wake = state.withLock { state in
                    if count > 0 {
                        state.pieces[state.pieces.count - 1].bytes += buffer[..<count]
                    } else {
                        state.hasEnded = true
                    }
                    return state.takeSatisfied()
                }
                wake()
                if count <= 0 { break }
            }
            end.finish()
        }
        return Task { for await _ in ends {} }
    }
}
