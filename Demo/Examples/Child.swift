import Foundation

/// Another process of this program. It reads commands from its standard input and writes its standard output to a file.
struct Child {
    private let process = Process()
    private let input = Pipe()
    private let log: URL

    /// Starts the process with its output redirected to `log`.
    init(_ arguments: String..., log: URL) throws {
        self.log = log
        try Data().write(to: log)
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: log)
        try process.run()
    }

    /// Everything the process has written so far.
    var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Sends the process a line.
    func write(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Ends the process like `kill -9`.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Closes the process's input, waits for it and returns its exit code.
    func end() throws -> Int32 {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
