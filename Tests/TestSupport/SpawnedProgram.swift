import Foundation

/// A program that has been started.
///
/// Not Foundation's `Process`: on Linux its `run()` reads beyond the end of a list of the open descriptors, and now and
/// then ends the process where there are more than a thousand of them, as among tests that all run at once
/// (swift-corelibs-foundation 5472, repaired after Swift 6.3).
package struct SpawnedProgram: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// How a program has ended.
    package struct End: Equatable, Sendable {
        /// The exit code, or the number of the signal.
        package let code: Int32
        package let wasKilled: Bool
    }

    package let identifier: pid_t

    /// Starts the program at `path`, in a process group of its own and with no signal blocked.
    ///
    /// - Parameters:
    ///   - environment: all that it has. Default: nothing.
    ///   - folder: its current folder. Default: this process's.
    ///   - streams: its first descriptors; it gets no others. Default: the standard ones of this process.
    package init(
        _ path: String, _ arguments: [String] = [], environment: [String: String] = [:], folder: String? = nil,
        streams: [FileHandle] = [.standardInput, .standardOutput, .standardError]
    ) throws {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
            let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
            let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, stream.fileDescriptor, Int32(number))
        }
        #if !canImport(Darwin)
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
            for descriptor in open where descriptor >= streams.count {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of Dispatch have signals blocked, which programs inherit.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let change = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] } ?? []
        let command = change + [path] + arguments
        let words = command.map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (words + settings).forEach { free($0) } }
        var identifier = pid_t()
        let error = posix_spawn(&identifier, command[0], &actions, &attributes, words, settings)
        guard error == 0 else {
            throw Failure(description: "\(path) cannot be run: \(String(cString: strerror(error)))")
        }
        self.identifier = identifier
    }

    /// Waits until it ends. To be called once.
    package func end() async -> End {
        await withCheckedContinuation { continuation in
            // A thread that waits must not be one of those that tests run on.
            Thread.detachNewThread { continuation.resume(returning: waitUntilEnd()) }
        }
    }

    /// Blocks until it ends. To be called once, of a program that takes no time.
    @discardableResult
    package func waitUntilEnd() -> End {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return End(code: signal == 0 ? status >> 8 & 0xff : signal, wasKilled: signal != 0)
    }

    /// Runs a command to its end and returns its exit code, or the number of the signal that has ended it.
    package static func run(_ command: [String]) throws -> Int32 {
        try SpawnedProgram(command[0], Array(command.dropFirst())).waitUntilEnd().code
    }
}

extension FileHandle {
    /// What is empty to read, and takes everything.
    package static func null() throws -> FileHandle { try FileHandle(forUpdating: URL(filePath: "/dev/null")) }
}
