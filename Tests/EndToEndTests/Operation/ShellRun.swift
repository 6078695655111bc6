import Foundation
import TestSupport

/// One run of a shell with a script, in an environment that has no settings of curl.
struct ShellRun: Sendable {
    /// How it has ended: the exit code, or the number of the signal.
    let status: Int32
    /// What was written to the standard output.
    let output: Data

    /// Runs the script to its end, with nothing on its standard input.
    init(_ script: String) throws {
        let folder = try TemporaryFolder()
        // A script of a megabyte is too long for an argument.
        let file = try folder.write(Data(script.utf8), to: "script")
        let shell = try SpawnedProgram(
            "/bin/sh", [file.path(percentEncoded: false)],
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nowhere", "x": "expanded"],
            streams: [.null(), folder.handle("output"), .null()])
        status = shell.waitUntilEnd().code
        output = try Data(contentsOf: folder.file("output"))
    }
}
