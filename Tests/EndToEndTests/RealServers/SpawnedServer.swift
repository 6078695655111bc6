import Foundation

/// A server program that runs in the foreground for as long as the test wants it.
final class SpawnedServer: Sendable {
    struct Failure: Error {
        let description: String
    }

    private let process: pid_t
    /// Kept open, so that the program can go on writing to it.
    private let output: Int32

    /// Starts a program, and waits until it has written `marker` to its standard output or error.
    init(_ command: [String], readyAt marker: String) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(description: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for descriptor: Int32 in [1, 2] { posix_spawn_file_actions_adddup2(&actions, ends[1], descriptor) }
        // A process group of its own, with all of its children. And threads of Dispatch have signals blocked, which programs inherit: they could not be told to end.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let arguments = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var pid = pid_t()
        let status = posix_spawn(&pid, command[0], &actions, &attributes, arguments, nil)
        _ = close(ends[1])
        guard status == 0 else {
            _ = close(ends[0])
            throw Failure(description: "\(command[0]) cannot be run")
        }
        (process, output) = (pid, ends[0])
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: text, as: UTF8.self).contains(marker) {
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                stop()
                throw Failure(description: "\(command[0]) did not start: \(String(decoding: text, as: UTF8.self))")
            }
            text += buffer.prefix(count)
        }
    }

    /// Ends the program with all its children, without their leave: Apache's waits for its connections for 10 s.
    /// Call once.
    func stop() {
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        _ = close(output)
    }

    /// The first of `paths` that is a program.
    static func program(_ paths: [String]) -> String? {
        paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
