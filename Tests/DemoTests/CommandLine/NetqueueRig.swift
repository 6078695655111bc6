import Foundation
import LoopbackHTTP
import TestSupport

/// A server, and a folder of its own for netqueue to run in.
struct NetqueueRig {
    let server: LoopbackServer
    let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
    }

    /// A URL of the server, as one types it.
    func url(_ path: String) -> String { server.url(path).absoluteString }

    /// Runs netqueue in the folder; see `NetqueueRun.run`.
    func run(
        _ arguments: [String], input: String? = nil, inputPipe: Pipe? = nil, environment: [String: String] = [:],
        output: FileHandle? = nil, terminal: PseudoTerminal? = nil, shell: String? = nil,
        whileRunning: (Int32) async -> Void = { _ in }
    ) async throws -> NetqueueRun {
        try await NetqueueRun.run(
            arguments, in: folder, input: input, inputPipe: inputPipe, environment: environment, output: output,
            terminal: terminal, shell: shell, whileRunning: whileRunning)
    }
}
