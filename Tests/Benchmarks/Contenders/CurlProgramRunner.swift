import Foundation

/// The program `curl` with a list of URLs. Its start is part of what is measured.
struct CurlProgramRunner: Runner {
    static let program = ChildProcess.find("curl")
    static var isInstalled: Bool { program != nil }

    private let job: Job
    private let folder: ScratchFolder

    init(_ job: Job) throws {
        self.job = job
        folder = try ScratchFolder()
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
        try Data(lines.joined(separator: "\n").utf8).write(to: folder.url.appending(path: "list"))
    }

    func run() async throws -> Work {
        guard let program = Self.program else { throw BenchmarkFailure("curl is not installed") }
        let result = try ChildProcess.run(
            [program, "--disable", "--config", folder.url.appending(path: "list").path],
            output: folder.url.appending(path: "sizes"))
        guard result.status == 0 else { throw BenchmarkFailure("curl ended with \(result.status)") }
        let sizes = result.output.split(separator: "\n").compactMap { Int64($0) }
        guard sizes.count == job.urls.count else { throw BenchmarkFailure("curl made \(sizes.count) transfers") }
        return Work(bytes: sizes.reduce(0, +), usage: result.usage)
    }
}
