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
        let process = try ChildProcess.spawn([program, command.rawValue] + arguments, isApart: true) { actions in
            posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
            posix_spawn_file_actions_adddup2(&actions, ends[3], 1)
        }
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
}
