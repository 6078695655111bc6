import Foundation

/// The standard output and error of a process, of which a limited number of bytes is kept.
struct ProgramStreams: Sendable {
    /// The number of bytes kept of each stream.
    private static let limit = 64 << 10

    /// The reading ends of the pipes for the standard output and error; -1 after the end.
    private var descriptors: [Int32]
    /// The first bytes of the standard output.
    private(set) var output: [UInt8] = []
    /// The last bytes of the standard error.
    private var errors: [UInt8] = []
    /// Whether the standard output goes to the standard error, whose lines are taken one by one.
    private let areMerged: Bool
    /// The bytes of merged streams that have not been taken as lines.
    private var rest: [UInt8] = []

    private init(_ descriptors: [Int32], areMerged: Bool) {
        (self.descriptors, self.areMerged) = (descriptors, areMerged)
    }

    /// Starts a program, which is looked up in the folders of PATH.
    static func start(
        _ words: [String], _ environment: [String: String], mergesStreams: Bool
    ) throws(POSIXError) -> (identifier: pid_t, streams: ProgramStreams) {
        // Each pipe's reading and writing end. What is in here at the end is closed.
        var ends: [Int32] = []
        defer { for end in ends { Foundation.close(end) } }
        for _ in 0..<2 { ends += try pipe() }
        let output = mergesStreams ? ends[3] : ends[1]
        let identifier = try spawn(words, environment, output: output, error: ends[3])
        let streams = ProgramStreams([ends[0], ends[2]], areMerged: mergesStreams)
        ends = [ends[1], ends[3]]
        return (identifier, streams)
    }

    /// The last line of the standard error that is not blank.
    var lastErrorLine: String {
        let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.map(\.trimmedOfSpaces).last { !$0.isEmpty }.map(String.init) ?? ""
    }

    /// The lines of merged streams that are complete and have not been taken, without those that are empty. A line is
    /// also complete at the end, and when it is very long.
    mutating func takeLines(isLast: Bool = false) -> [String] {
        let end = rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let count = isLast || rest.count - end > Self.limit ? rest.count : end
        let lines = rest.prefix(count).split(separator: UInt8(ascii: "\n"))
        rest.removeFirst(count)
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Waits until something can be read, but not longer than `time`, and reads it.
    mutating func read(waiting time: Duration) {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&entries, nfds_t(entries.count), Int32(time / .milliseconds(1)))
        for index in descriptors.indices where descriptors[index] >= 0 {
            // As much as a pipe holds.
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.limit) { buffer, initialized in
                count = Foundation.read(descriptors[index], buffer.baseAddress, buffer.count)
                initialized = max(0, count)
            }
            if index == 0 {
                output += bytes.prefix(Self.limit - output.count)
            } else {
                errors = Array((errors + bytes).suffix(Self.limit))
                if areMerged { rest += bytes }
            }
            if count == 0 { close(at: index) }
        }
    }

    /// Closes the streams, which other processes may keep open.
    mutating func close() { for index in descriptors.indices { close(at: index) } }

    private mutating func close(at index: Int) {
        if descriptors[index] >= 0 { Foundation.close(descriptors[index]) }
        descriptors[index] = -1
    }

    /// A pipe that no other process inherits, and whose reading end does not block.
    private static func pipe() throws(POSIXError) -> [Int32] {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else { throw .last }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return ends
    }

    #if os(tvOS)
        /// A program cannot start another on tvOS.
        private static func spawn(
            _ words: [String], _ environment: [String: String], output: Int32, error: Int32
        ) throws(POSIXError) -> pid_t { throw POSIXError(.ENOTSUP) }
    #else
        private static func spawn(
            _ words: [String], _ environment: [String: String], output: Int32, error: Int32
        ) throws(POSIXError) -> pid_t {
            #if canImport(Darwin)
                var actions: posix_spawn_file_actions_t?
                var attributes: posix_spawnattr_t?
                let flags =
                    POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT
            #else
                var actions = posix_spawn_file_actions_t()
                var attributes = posix_spawnattr_t()
                let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
            #endif
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
            #if !canImport(Darwin)
                let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
                // Other threads may open more before the program starts; they get the lowest free numbers.
                let end = (open.compactMap { Int32($0) }.max() ?? 0) + 256
                for descriptor in STDERR_FILENO + 1..<end { posix_spawn_file_actions_addclose(&actions, descriptor) }
            #endif
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            var signals = sigset_t()
            sigemptyset(&signals)
            posix_spawnattr_setsigmask(&attributes, &signals)
            sigfillset(&signals)
            posix_spawnattr_setsigdefault(&attributes, &signals)
            posix_spawnattr_setflags(&attributes, Int16(flags))
            let arguments = words.map { strdup($0) } + [nil]
            let settings = environment.map { strdup("\($0)=\($1)") } + [nil]
            defer { for text in arguments + settings { free(text) } }
            var identifier = pid_t()
            let code = posix_spawnp(&identifier, words[0], &actions, &attributes, arguments, settings)
            guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
            return identifier
        }
    #endif
}
