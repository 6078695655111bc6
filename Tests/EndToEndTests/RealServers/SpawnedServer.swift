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
        guard await !eventually({ Self.accepts(port) }) else { return }
        stop()
        throw Failure(description: "nothing listens at port \(port): \(greeting)")
    }

    private static func accepts(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Sockets.streamType, 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// The first of `paths` that is a program.
    static func program(_ paths: [String]) -> String? {
        paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
