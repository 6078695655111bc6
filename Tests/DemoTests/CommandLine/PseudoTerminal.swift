import Foundation
import NetworkQueueKit
import Testing

/// A terminal for a program under test, whose screen is kept as the text that was sent to it.
final class PseudoTerminal {
    private struct State {
        /// What was sent while the terminal had a width, for one width after the other.
        var pieces: [(columns: Int, bytes: [UInt8])]
        var waiting: [(text: String, count: Int, done: CheckedContinuation<Void, Never>)] = []
        var hasEnded = false

        var text: String { String(decoding: pieces.flatMap(\.bytes), as: UTF8.self) }

        func count(of text: String) -> Int { self.text.components(separatedBy: text).count - 1 }

        /// Takes those out whose text is there.
        mutating func takeSatisfied() -> [CheckedContinuation<Void, Never>] {
            var satisfied: [CheckedContinuation<Void, Never>] = []
            let (waiting, text) = (waiting, text)
            self.waiting = waiting.filter { entry in
                guard hasEnded || text.components(separatedBy: entry.text).count > entry.count else { return true }
                satisfied.append(entry.done)
                return false
            }
            return satisfied
        }
    }

    /// The program's end.
    let device: FileHandle
    private let primary: Int32
    private let rows: Int
    private let state: Guarded<State>
    private let end: Task<Void, Never>

    init(columns: Int, rows: Int = 24) throws {
        var ends: (primary: Int32, device: Int32) = (-1, -1)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&ends.primary, &ends.device, nil, nil, &size) == 0)
        // Programs of other tests must not inherit them: a terminal ends when its last device is closed.
        for descriptor in [ends.primary, ends.device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        primary = ends.primary
        self.rows = rows
        device = FileHandle(fileDescriptor: ends.device, closeOnDealloc: true)
        state = Guarded(State(pieces: [(columns, [])]))
        end = Self.read(ends.primary, to: state)
    }

    deinit { close(primary) }

    /// Everything that the program has sent, once it has ended.
    func text() async throws -> String {
        try device.close()
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
        await withCheckedContinuation { done in
            let satisfied = state.withLock { state in
                state.waiting.append((text, count, done))
                return state.takeSatisfied()
            }
            for done in satisfied { done.resume() }
        }
    }

    /// Wrapping is off while a frame is written.
    private static let endOfFrame = "\u{1B}[?7h"

    /// Gives the terminal another width, for what is sent from now on. The program should stand still meanwhile.
    func resize(columns: Int) async throws {
        let mark = "\u{1B}]mark \(UUID())\u{1B}\\"
        try device.write(contentsOf: Data(mark.utf8))
        await wait(for: mark)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(primary, UInt(TIOCSWINSZ), &size) == 0)
        state.withLock { $0.pieces.append((columns, [])) }
    }

    /// Reads until the other end is closed everywhere, which is an error on Linux and an end on Darwin.
    private static func read(_ descriptor: Int32, to state: Guarded<State>) -> Task<Void, Never> {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        // A queue of Dispatch would do it on one of the few threads that tests share.
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = Foundation.read(descriptor, &buffer, buffer.count)
                let satisfied = state.withLock { state in
                    if count > 0 {
                        state.pieces[state.pieces.count - 1].bytes += buffer[..<count]
                    } else {
                        state.hasEnded = true
                    }
                    return state.takeSatisfied()
                }
                for done in satisfied { done.resume() }
                if count <= 0 { break }
            }
            end.finish()
        }
        return Task { for await _ in ends {} }
    }
}
