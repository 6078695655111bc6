import Foundation

/// The program `aria2c` with a list of URLs. It always writes files, and its start is part of what is measured.
struct AriaRunner: Runner {
    static let program = ChildProcess.find("aria2c")
    static var isInstalled: Bool { program != nil }

    private let job: Job
    private let folder: ScratchFolder
    private var target: URL { job.folder ?? folder.url.appending(path: "files") }

    init(_ job: Job) throws {
        self.job = job
        folder = try ScratchFolder()
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let lines = job.urls.enumerated().map { number, url in "\(url.absoluteString)\n  out=\(number)" }
        try Data(lines.joined(separator: "\n").utf8).write(to: folder.url.appending(path: "list"))
    }

    func run() async throws -> Work {
        guard let program = Self.program else { throw BenchmarkFailure("aria2c is not installed") }
        var command = [
            program, "--no-conf", "--quiet", "--input-file", folder.url.appending(path: "list").path,
            "--dir", target.path, "--max-concurrent-downloads", "\(job.concurrency)",
            "--max-connection-per-server", "1", "--split", "1", "--file-allocation", "none",
            "--allow-overwrite", "true", "--auto-file-renaming", "false", "--enable-dht", "false",
            "--auto-save-interval", "0", "--summary-interval", "0", "--disk-cache", "0",
        ]
        if let certificate = job.certificate { command += ["--ca-certificate", certificate.path] }
        let result = try ChildProcess.run(command, output: folder.url.appending(path: "output"))
        guard result.status == 0 else { throw BenchmarkFailure("aria2c ended with \(result.status)") }
        return Work(bytes: try bytesOfFiles(), usage: result.usage)
    }

    private func bytesOfFiles() throws -> Int64 {
        let files = try FileManager.default.contentsOfDirectory(at: target, includingPropertiesForKeys: [.fileSizeKey])
        guard files.count == job.urls.count else { throw BenchmarkFailure("aria2c wrote \(files.count) files") }
        return try files.reduce(0) { $0 + Int64(try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
    }
}
