import Dispatch
import Foundation
import NetworkQueueKit

/// Another program, run to its end.
enum ChildProcess {
    struct Result {
        /// The exit status, or 128 and the number of the signal that ended it.
        var status: Int32
        var output: String
        var usage: ResourceUsage
    }

    /// Where `name` is in the search path.
    static func find(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs `command` with its standard output going to the file `output`, and its standard error nowhere where
    /// `isQuiet`.
    static func run(_ command: [String], output: URL, isQuiet: Bool = false) throws -> Result {
        let process = try spawn(command) { actions in
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            if isQuiet { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
        }
        let watch = PeakWatch(process)
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return Result(
            status: signal == 0 ? (status >> 8) & 0xff : 128 + signal,
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            usage: ResourceUsage(usage, peakResidentBytes: watch.end()))
    }

    #if canImport(Glibc)
        typealias FileActions = posix_spawn_file_actions_t
    #else
        typealias FileActions = posix_spawn_file_actions_t?
    #endif

    /// Starts a program.
    ///
    /// - Parameter isApart: whether it gets a process group of its own and no blocked signals. Threads of Dispatch have
    ///   signals blocked, which programs inherit.
    static func spawn(
        _ command: [String], isApart: Bool = false, _ prepare: (inout FileActions) -> Void
    ) throws -> pid_t {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        prepare(&actions)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        if isApart {
            var noSignals = sigset_t()
            sigemptyset(&noSignals)
            posix_spawnattr_setsigmask(&attributes, &noSignals)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        }
        let arguments = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, command[0], &actions, &attributes, arguments, environ) == 0 else {
            throw BenchmarkFailure("\(command[0]) cannot be run")
        }
        return process
    }
}

/// Notes a process's peak of memory until it ends; the kernel forgets it then.
private final class PeakWatch: Sendable {
    private let state = Guarded((peak: Int?.none, isOver: false))

    init(_ process: pid_t) {
        Thread.detachNewThread { [state] in
            while true {
                let peak = ProcessMemory.peak(of: process)
                let isOver = state.withLock { state in
                    if let peak { state.peak = max(peak, state.peak ?? 0) }
                    return state.isOver
                }
                if isOver { return }
                usleep(20_000)
            }
        }
    }

    func end() -> Int? {
        state.withLock { state in
            state.isOver = true
            return state.peak
        }
    }
}
