import Foundation

/// This program once more, beside the benchmark, with a sub-command that runs until its standard input ends.
///
/// The other end of that pipe is this process's alone, so that the helper ends with it, however it ends. It is in a
/// process group of its own: what a terminal sends to end the benchmark does not keep a helper from tidying up.
final class HelperProcess {
    /// The first line that it printed: it is ready.
    let line: String
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private var usage: ResourceUsage?

    init(_ command: SubCommand, _ arguments: [String]) throws {
        guard let program = Bundle.main.executablePath else { throw BenchmarkFailure("the program is not found") }
        var ends: [Int32] = [-1, -1, -1, -1]
        let isMade = ends.withUnsafeMutableBufferPointer { ends in
            guard let base = ends.baseAddress else { return false }
            return pipe(base) == 0 && pipe(base + 2) == 0
        }
        guard isMade else { throw BenchmarkFailure("no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process = try Self.spawn([program, command.rawValue] + arguments, input: ends[0], output: ends[3])
        _ = close(ends[0])
        _ = close(ends[3])
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while read(ends[2], &byte, 1) == 1, byte != UInt8(ascii: "\n") { text.append(byte) }
        (self.process, input, output) = (process, ends[1], ends[2])
        line = String(decoding: text, as: UTF8.self)
        guard !line.isEmpty else { throw BenchmarkFailure("\(command.rawValue) did not start") }
    }

    deinit { _ = stop() }

    /// Ends it and waits for that; returns what it has needed.
    func stop() -> ResourceUsage {
        if let usage { return usage }
        _ = close(input)
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        _ = close(output)
        let result = ResourceUsage(usage, peakResidentBytes: nil)
        self.usage = result
        return result
    }

    private static func spawn(_ command: [String], input: Int32, output: Int32) throws -> pid_t {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of Dispatch have signals blocked, which programs inherit.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let arguments = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, command[0], &actions, &attributes, arguments, environ) == 0 else {
            throw BenchmarkFailure("\(command[0]) cannot be run")
        }
        return process
    }
}
