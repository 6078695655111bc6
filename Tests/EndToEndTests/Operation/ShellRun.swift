import Foundation
import TestSupport

/// One run of a shell with a script, in an environment that has no settings of curl.
///
/// Not by Foundation's `Process`: on Linux it looks through the open files of the whole process, which crashes while others are opened.
struct ShellRun: Sendable {
    struct Failure: Error {
        let description: String
    }

    /// What `wait` says of the end; 0 for success.
    let status: Int32
    /// What was written to the standard output.
    let output: Data

    /// Runs the script to its end, with nothing on its standard input.
    init(_ script: String) throws {
        let folder = try TemporaryFolder()
        // A script of a megabyte is too long for an argument.
        let file = try folder.write(Data(script.utf8), to: "script")
        let outputFile = folder.file("output")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, 1, outputFile.path(percentEncoded: false), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let arguments = Self.copies(of: ["/bin/sh", file.path(percentEncoded: false)])
        let environment = Self.copies(of: ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nowhere", "x=expanded"])
        defer { (arguments + environment).forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, "/bin/sh", &actions, nil, arguments, environment) == 0 else {
            throw Failure(description: "/bin/sh cannot be run")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure(description: "waitpid: errno \(errno)") }
        }
        self.status = status
        output = try Data(contentsOf: outputFile)
    }

    /// As C takes a list of texts; to be freed one by one.
    private static func copies(of texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}
