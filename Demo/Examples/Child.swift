import Foundation

/// This program once more, as a process of its own: what it is told on its standard input it does, and what it says on
/// its standard output is in a file.
struct Child {
    private let process = Process()
    private let input = Pipe()
    private let log: URL

    /// Starts it, with all it says in `log`.
    init(_ arguments: String..., log: URL) throws {
        self.log = log
        try Data().write(to: log)
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: log)
        try process.run()
    }

    /// All that it has said.
    var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Sends it a line.
    func write(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Ends it as `kill -9` does.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Ends its input, and returns its exit code.
    func end() throws -> Int32 {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
