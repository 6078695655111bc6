import Foundation

/// A program that fetches a list of URLs. Its start is part of what is measured.
struct ProgramRunner: Runner {
    private let name: String
    private let command: [String]
    private let scratch: ScratchFolder
    private let bytes: (_ output: String) throws -> Int64

    /// - Parameters:
    ///   - list: what the program's list contains.
    ///   - arguments: for a list at this path.
    ///   - bytes: the bytes of content, by what the program has printed.
    private init(
        _ name: String, scratch: ScratchFolder, list: [String], arguments: (_ list: String) -> [String],
        bytes: @escaping (_ output: String) throws -> Int64
    ) throws {
        guard let program = ChildProcess.find(name) else { throw BenchmarkFailure("\(name) is not installed") }
        (self.name, self.scratch, self.bytes) = (name, scratch, bytes)
        let file = scratch.url.appending(path: "list")
        try Data((list.joined(separator: "\n") + "\n").utf8).write(to: file)
        command = [program] + arguments(file.path)
    }

    func run() async throws -> Work {
        let result = try ChildProcess.run(command, output: scratch.url.appending(path: "output"))
        guard result.status == 0 else { throw BenchmarkFailure("\(name) ended with \(result.status)") }
        return Work(bytes: try bytes(result.output), usage: result.usage)
    }

    /// `curl --parallel`.
    static func curl(_ job: Job) throws -> ProgramRunner {
        var lines = [
            "parallel", "fail-early", "parallel-max = \(job.concurrency)", "silent", "no-progress-meter", "show-error",
            "fail", "max-time = 600",
        ]
        // One line for each transfer, to be added up afterwards.
        lines.append(#"write-out = "%{size_download}\n""#)
        if let certificate = job.certificate { lines.append("cacert = \"\(certificate.path)\"") }
        switch job.httpVersion {
        case .preferred: break
        case .http1: lines.append("http1.1")
        case .http2: lines.append("http2")
        }
        for (number, url) in job.urls.enumerated() {
            lines.append("url = \"\(url.absoluteString)\"")
            let output = job.folder?.appending(path: "\(number)").path ?? "/dev/null"
            lines.append("output = \"\(output)\"")
        }
        return try ProgramRunner("curl", scratch: ScratchFolder(), list: lines) {
            ["--disable", "--config", $0]
        } bytes: {
            let sizes = $0.split(separator: "\n").compactMap { Int64($0) }
            guard sizes.count == job.urls.count else { throw BenchmarkFailure("curl made \(sizes.count) transfers") }
            return sizes.reduce(0, +)
        }
    }

    /// `aria2c`, which always writes files.
    static func aria(_ job: Job) throws -> ProgramRunner {
        let scratch = try ScratchFolder()
        let target = job.folder ?? scratch.url.appending(path: "files")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let lines = job.urls.enumerated().map { number, url in "\(url.absoluteString)\n  out=\(number)" }
        return try ProgramRunner("aria2c", scratch: scratch, list: lines) { list in
            [
                "--no-conf", "--quiet", "--input-file", list,
                "--dir", target.path, "--max-concurrent-downloads", "\(job.concurrency)",
                "--max-connection-per-server", "1", "--split", "1", "--file-allocation", "none",
                "--allow-overwrite", "true", "--auto-file-renaming", "false", "--enable-dht", "false",
                "--auto-save-interval", "0", "--summary-interval", "0", "--disk-cache", "0",
            ] + (job.certificate.map { ["--ca-certificate", $0.path] } ?? [])
        } bytes: { _ in
            let files = try FileManager.default.contentsOfDirectory(
                at: target, includingPropertiesForKeys: [.fileSizeKey])
            guard files.count == job.urls.count else { throw BenchmarkFailure("aria2c wrote \(files.count) files") }
            return try files.reduce(0) { $0 + Int64(try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
        }
    }

    /// `wget2`, which names files after the last part of their URLs.
    static func wget(_ job: Job) throws -> ProgramRunner {
        guard let target = job.folder else { throw BenchmarkFailure("wget2 fetches files only") }
        return try ProgramRunner("wget2", scratch: ScratchFolder(), list: job.urls.map(\.absoluteString)) { list in
            [
                "--no-config", "--quiet", "--no-hsts", "--no-ocsp", "--input-file", list, "--directory-prefix",
                target.path, "--max-threads", "\(job.concurrency)",
            ] + (job.certificate.map { ["--ca-certificate", $0.path] } ?? [])
                + (job.httpVersion == .http1 ? ["--no-http2"] : [])
        } bytes: { _ in
            0
        }
    }
}
