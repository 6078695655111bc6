import Foundation
import LoopbackHTTP
import TestSupport

/// A server program that runs in the foreground for as long as the test wants it.
final class SpawnedServer: Sendable {
    struct Failure: Error {
        let description: String
    }

    /// What it has written until it was ready.
    let greeting: String
    private let program: SpawnedProgram
    /// Kept open, so that the program can go on writing to it.
    private let output: FileHandle

    /// Starts a program, and waits until it has written `marker` to its standard output or error.
    init(_ command: [String], readyAt marker: String) throws {
        let pipe = Pipe()
        let input = pipe.fileHandleForWriting
        program = try SpawnedProgram(command[0], Array(command.dropFirst()), streams: [.null(), input, input])
        try input.close()
        output = pipe.fileHandleForReading
        var text = ""
        while !text.contains(marker) {
            let data = output.availableData
            guard !data.isEmpty else {
                Self.end(program)
                throw Failure(description: "\(command[0]) did not start: \(text)")
            }
            text += String(decoding: data, as: UTF8.self)
        }
        greeting = text
    }

    /// Ends the program with all its children, without their leave: Apache's waits for its connections for 10 s.
    /// Call once.
    func stop() { Self.end(program) }

    private static func end(_ program: SpawnedProgram) {
        kill(-program.identifier, SIGKILL)
        program.waitUntilEnd()
    }

    /// Waits until it accepts connections: some programs say that they are ready shortly before that.
    func waitUntilOpen(_ port: UInt16) async throws {
        guard await !eventually({ (try? RawClient(port)) != nil }) else { return }
        stop()
        throw Failure(description: "nothing listens at port \(port): \(greeting)")
    }

    /// The first of `paths` that is a program.
    static func program(_ paths: [String]) -> String? {
        paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
