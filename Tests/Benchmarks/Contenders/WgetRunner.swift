import Foundation

/// The program `wget2` with a list of URLs; it names files after the last part of their URLs. Its start is measured,
/// too.
struct WgetRunner: Runner {
    static let program = ChildProcess.find("wget2")
    static var isInstalled: Bool { program != nil }

    private let job: Job
    private let folder: ScratchFolder

    init(_ job: Job) throws {
        guard job.folder != nil else { throw BenchmarkFailure("wget2 fetches files only") }
        self.job = job
        folder = try ScratchFolder()
        let lines = job.urls.map(\.absoluteString)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.url.appending(path: "list"))
    }

    func run() async throws -> Work {
        guard let program = Self.program, let target = job.folder else {
            throw BenchmarkFailure("wget2 is not installed")
        }
        var command = [
            program, "--no-config", "--quiet", "--no-hsts", "--no-ocsp", "--input-file",
            folder.url.appending(path: "list").path, "--directory-prefix", target.path, "--max-threads",
            "\(job.concurrency)",
        ]
        if let certificate = job.certificate { command += ["--ca-certificate", certificate.path] }
        if job.httpVersion == .http1 { command.append("--no-http2") }
        let result = try ChildProcess.run(command, output: folder.url.appending(path: "output"))
        guard result.status == 0 else { throw BenchmarkFailure("wget2 ended with \(result.status)") }
        return Work(usage: result.usage)
    }
}
