import Foundation

/// The process that starts nginx for a benchmark and ends it when the benchmark ends, even by a signal.
enum NginxGuardian {
    /// Where the program is; `nil` when it is not installed.
    static let program: String? =
        ChildProcess.find("nginx")
        ?? ["/usr/sbin/nginx", "/usr/local/sbin/nginx"].first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Starts nginx with the configuration in the folder that is named, prints a line when its ports are bound, waits
    /// for the end of standard input, ends nginx and removes the folder.
    static func run(_ arguments: [String]) throws -> Int32 {
        guard let path = arguments.first, let program else { throw BenchmarkFailure("nginx is not installed") }
        let folder = URL(filePath: path)
        // It goes into the background when it has bound its ports: when this command has ended, it is ready.
        let errors = folder.appending(path: "error.log").path
        let started = try ChildProcess.run(
            [program, "-c", folder.appending(path: "nginx.conf").path, "-e", errors],
            output: folder.appending(path: "nginx.output"))
        // A failed start is told by the missing line; another port may be free.
        guard started.status == 0 else { return 1 }
        Output(isJSON: false).text("ready")
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count == 0 || (count < 0 && errno != EINTR) { break }
        }
        end(folder)
        return 0
    }

    private static func end(_ folder: URL) {
        let pidFile = folder.appending(path: "nginx.pid")
        if let text = try? String(contentsOf: pidFile, encoding: .utf8),
            let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
        {
            kill(process, SIGTERM)
            // It is gone when its pid file is.
            for _ in 0..<100 where FileManager.default.fileExists(atPath: pidFile.path) { usleep(20_000) }
        }
        // A contender that the benchmark has left behind may be writing still: removing gives up where a file appears.
        for _ in 0..<20 where FileManager.default.fileExists(atPath: folder.path) {
            try? FileManager.default.removeItem(at: folder)
            usleep(20_000)
        }
    }
}
