import Foundation
import NetworkQueueKit

/// A command of the user, that of `--refresh` or `--exec`, which is run for one item after the other.
///
/// It is split at blanks and started without a shell. Each process has a process group of its own, signals in their
/// default state, an empty standard input, and none of this program's other descriptors and locks.
final class UserCommand: Sendable {
    /// How a process has ended.
    struct Outcome: Sendable {
        /// The first bytes of its standard output.
        var output: [UInt8] = []
        /// The last line of its standard error.
        var lastLine = ""
        /// What it did wrong, such as `ended with status 3`; `nil` after status 0.
        var fault: String?
    }

    private struct State {
        /// The processes that have not been reaped, whose identifiers no other process can have.
        var processes: Set<pid_t> = []
        var hasStopped = false
    }

    /// The time between the request to end and the end by force.
    private static let grace = Duration.seconds(1)
    private static let step = Duration.milliseconds(20)

    private let words: [String]
    private let patience: Duration?
    /// Runs as many processes at a time as there may be, each on a thread.
    private let threads = OperationQueue()
    private let state = Locked(State())

    /// - Parameters:
    ///   - option: The option that has the command, for the error if the command has no program.
    ///   - count: The maximum number of processes at a time.
    ///   - patience: The time after which a process is ended; `nil` means no limit.
    init(_ text: String, of option: String, atMost count: Int, patience: Duration? = nil) throws(UsageError) {
        words = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map { String(Substring($0)) }
        self.patience = patience
        threads.maxConcurrentOperationCount = count
        guard let program = words.first else { throw UsageError("\(option) requires a command") }
        if !Self.isProgram(program) { throw UsageError("\(option): “\(program)” is not a program") }
    }

    private static func isProgram(_ name: String) -> Bool {
        if name.contains(byte: "/") { return access(name, X_OK) == 0 && !POSIXFile.isFolder(name) }
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return folders.parts(separatedBy: ":").contains {
            access($0.isEmpty ? String(name) : "\($0)/\(name)", X_OK) == 0
        }
    }

    /// Runs the command and waits for its end. A canceled task has the process end soon.
    ///
    /// - Parameters:
    ///   - file: The absolute path of the item's file, which replaces each word `{}`.
    ///   - url: The item's URL, which the command gets without user name and password.
    ///   - isLastWord: Whether the URL is also the last word.
    ///   - isKept: Whether the file existed and is kept.
    ///   - tell: Called with each line that the process writes to either stream. `nil` keeps the standard output for the
    ///     outcome.
    func run(
        file: String?, url: URL, isLastWord: Bool = false, isKept: Bool = false,
        tell: (@Sendable (String) -> Void)? = nil
    ) async -> Outcome {
        let address = URLText.shown(url)
        let words = words.map { $0 == "{}" ? file ?? $0 : $0 } + (isLastWord ? [address] : [])
        var environment = ProcessInfo.processInfo.environment
        environment["NETQUEUE_FILE"] = file
        environment["NETQUEUE_URL"] = address
        environment["NETQUEUE_KEPT"] = isKept ? "1" : nil
        let isCancelled = Locked(false)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                threads.addOperation { [self, environment] in
                    continuation.resume(returning: perform(words, environment, tell) { isCancelled.withLock { $0 } })
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    /// Ends all processes, within a second, and starts no more.
    func stop() {
        state.withLock { state in
            state.hasStopped = true
            for process in state.processes { kill(-process, SIGTERM) }
        }
        waitUntilAllHaveEnded(atMost: Self.grace / 2)
        state.withLock { state in for process in state.processes { kill(-process, SIGKILL) } }
        waitUntilAllHaveEnded(atMost: Self.grace / 4)
    }

    private func waitUntilAllHaveEnded(atMost time: Duration) {
        let end = ContinuousClock.now + time
        while state.withLock({ !$0.processes.isEmpty }), .now < end { usleep(5000) }
    }

    // MARK: One process

    private func perform(
        _ words: [String], _ environment: [String: String], _ tell: ((String) -> Void)?, isCancelled: () -> Bool
    ) -> Outcome {
        let process: (identifier: pid_t, streams: ProgramStreams)
        do throws(POSIXError) {
            if isCancelled() { throw POSIXError(.ECANCELED) }
            process = try start(words, environment, mergesStreams: tell != nil)
        } catch {
            return Outcome(fault: "cannot be started: \(error.reason)")
        }
        let identifier = process.identifier
        var streams = process.streams
        var outcome = Outcome()
        let start = ContinuousClock.now
        var end: ContinuousClock.Instant?
        while true {
            streams.read(waiting: Self.step)
            if let tell { streams.takeLines().forEach(tell) }
            // A process may leave another one behind that keeps the streams open.
            if Self.hasEnded(identifier) { break }
            if let end {
                if end <= .now { kill(-identifier, SIGKILL) }
            } else if let fault = Self.fault(since: start, patience, isCancelled: isCancelled()) {
                outcome.fault = fault
                end = .now + Self.grace
                kill(-identifier, SIGTERM)
            }
        }
        streams.read(waiting: .zero)
        if let tell { streams.takeLines(isLast: true).forEach(tell) }
        streams.close()
        (outcome.output, outcome.lastLine) = (streams.output, streams.lastErrorLine)
        let status = state.withLock { state in
            state.processes.remove(identifier)
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            return status
        }
        outcome.fault = outcome.fault ?? Self.fault(status)
        return outcome
    }

    private func start(
        _ words: [String], _ environment: [String: String], mergesStreams: Bool
    ) throws(POSIXError) -> (identifier: pid_t, streams: ProgramStreams) {
        // Under the lock, so that `stop` misses none.
        try state.withLock { state throws(POSIXError) in
            if state.hasStopped { throw POSIXError(.ECANCELED) }
            let started = try ProgramStreams.start(words, environment, mergesStreams: mergesStreams)
            state.processes.insert(started.identifier)
            return started
        }
    }

    private static func fault(
        since start: ContinuousClock.Instant, _ patience: Duration?, isCancelled: Bool
    ) -> String? {
        if isCancelled { return "was canceled" }
        guard let patience, start.duration(to: .now) >= patience else { return nil }
        return "took longer than \(patience.components.seconds) s"
    }

    /// What is wrong with a status of `waitpid`.
    private static func fault(_ status: Int32) -> String? {
        let signal = status & 0x7f
        if signal != 0 { return "was ended by signal \(signal)" }
        let code = status >> 8 & 0xff
        return code == 0 ? nil : "ended with status \(code)"
    }

    /// Whether a process has ended, which is not reaped.
    private static func hasEnded(_ process: pid_t) -> Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo != 0
    }
}
