import Foundation
import LoopbackHTTP
import TestSupport
import Testing

/// A server, and a folder of its own for netqueue to run in.
struct NetqueueRig {
    let server: LoopbackServer
    let folder: TemporaryFolder

    /// - Parameter folder: that of another owner. Default: one of its own.
    init(in folder: TemporaryFolder? = nil) throws {
        server = try LoopbackServer()
        self.folder = try folder ?? TemporaryFolder()
    }

    /// A URL of the server, as one types it.
    func url(_ path: String) -> String { server.url(path).absoluteString }

    /// Runs netqueue in the folder; see below. An argument that begins with a slash is a path of the server.
    func run(
        _ arguments: String..., input: String? = nil, inputPipe: Pipe? = nil, environment: [String: String] = [:],
        terminal: PseudoTerminal? = nil, shell: String? = nil, whileRunning: (Int32) async -> Void = { _ in }
    ) async throws -> NetqueueRun {
        try await run(
            arguments.map { $0.hasPrefix("/") ? url($0) : $0 }, input: input, inputPipe: inputPipe,
            environment: environment, terminal: terminal, shell: shell, whileRunning: whileRunning)
    }

    /// Runs the program in an environment of its own, in ASCII, with the rig's folder as its current one.
    ///
    /// The standard input is `input`, or comes from `inputPipe`. The standard output goes to `output` where there is
    /// one, the standard error to `terminal`. With `shell`, that is a script whose arguments are the program and its
    /// own. `whileRunning` is called with the process's identifier once it has been started.
    func run(
        _ arguments: [String], input: String? = nil, inputPipe: Pipe? = nil,
        environment: [String: String] = [:], output: FileHandle? = nil, terminal: PseudoTerminal? = nil,
        shell: String? = nil, whileRunning: (Int32) async -> Void = { _ in }
    ) async throws -> NetqueueRun {
        let inherited = ProcessInfo.processInfo.environment.filter {
            ["PATH", "HOME", "LD_LIBRARY_PATH"].contains($0.key)
        }
        // Files, unlike pipes, never fill up.
        let streams = try TemporaryFolder()
        let path = try Self.executable().path(percentEncoded: false)
        let program = try SpawnedProgram(
            shell == nil ? path : "/bin/sh", shell.map { ["-c", $0, "sh", path] + arguments } ?? arguments,
            environment: inherited.merging(["LC_ALL": "C", "TERM": "xterm"]) { $1 }.merging(environment) { $1 },
            folder: folder.path,
            streams: [
                inputPipe?.fileHandleForReading ?? streams.handle("in", containing: input ?? ""),
                try output ?? streams.handle("out"), try terminal?.device ?? streams.handle("err"),
            ])
        try terminal?.handOver()
        await whileRunning(program.identifier)
        let end = await program.end()
        return NetqueueRun(
            exitCode: end.code, wasKilled: end.wasKilled, output: output == nil ? try streams.read("out") : "",
            error: try await terminal?.text() ?? streams.read("err"))
    }

    /// The program lies beside the test bundle, wherever that has been built.
    static func executable() throws -> URL {
        let bundles = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
        let places = bundles + [URL(filePath: CommandLine.arguments[0])]
        let candidates = places.flatMap { place in
            [place, place.deletingLastPathComponent()].map { $0.appending(component: "netqueue") }
        }
        return try #require(
            candidates.first {
                var isFolder: ObjCBool = false
                let exists = FileManager.default.fileExists(
                    atPath: $0.path(percentEncoded: false), isDirectory: &isFolder)
                return exists && !isFolder.boolValue
            }, "netqueue is not beside the test bundle")
    }
}

extension LoopbackServer {
    /// Serves a response to those who send a login with Basic, and asks the others for one.
    func serve(_ path: String, _ response: ScriptedResponse = .text("content"), forLogin login: String) {
        let authorization = "Basic " + Data(login.utf8).base64EncodedString()
        serve(path) { request in
            request.headers["Authorization"] == authorization
                ? response : .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])
        }
    }
}
