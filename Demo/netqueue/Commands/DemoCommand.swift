import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// `netqueue demo`: downloads from an embedded server and verifies every byte.
struct DemoCommand {
    let options: Options

    func run() async -> Ending {
        let output = CommandOutput(options)
        do {
            let files = FileManager.default
            let folder = files.temporaryDirectory.appending(
                component: "netqueue-demo-\(UUID().uuidString)", directoryHint: .isDirectory)
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            let remove = { @Sendable in _ = try? FileManager.default.removeItem(at: folder) }
            defer { remove() }
            let report = try await output.run { interruption in
                interruption.onLeaving(remove)
                return try await download(to: folder, output, interruption)
            }
            let remark = report.exitCode == .success ? ", every file verified" : ""
            return Ending(code: report.exitCode, output: options.isQuiet ? "" : report.text(remark: remark))
        } catch {
            output.display.log("netqueue: the demo cannot run: \(error)")
            return Ending(code: .failure)
        }
    }

    private func download(
        to folder: URL, _ output: CommandOutput, _ interruption: Interruption
    ) async throws -> JobReport {
        let plan = DemoPlan(count: options.files)
        let pace = plan.pace(seconds: options.seconds, connections: options.jobs)
        let server = try LoopbackServer(recordsRequests: false)
        defer { server.stop() }
        let items = plan.files.map { file in
            server.serve("/" + file.path, file.response(bytesPerSecond: pace?(file)))
            var request = NetworkRequest(server.url(file.path))
            request.destination = .file(file.url(in: folder))
            request.tag = file.path
            return request
        }
        var report = await Job(
            items: ItemFeed(items), configuration: options.configuration, output: output, interruption: interruption
        ).run()
        guard report.exitCode == .success else { return report }
        report.failures += failures(of: plan, in: folder) { interruption.signal != nil }
        report.signal = interruption.signal
        for failure in report.failures { output.display.log(failure.line) }
        return report
    }

    /// Compares every byte on disk with the content that the server should have sent. Stops early if `isCancelled`
    /// returns true.
    private func failures(of plan: DemoPlan, in folder: URL, isCancelled: () -> Bool) -> [JobFailure] {
        var failures: [JobFailure] = []
        for file in plan.files {
            if isCancelled() { return failures }
            do {
                if try file.content.matches(contentsOf: file.url(in: folder)) { continue }
                failures.append(JobFailure(source: file.path, reason: "the content differs from what the server sent"))
            } catch {
                failures.append(JobFailure(source: file.path, reason: "the file cannot be read: \(error)"))
            }
        }
        let paths = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isDirectoryKey])
        let count = paths?.lazy.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }.count ?? 0
        if count != plan.files.count {
            failures.append(JobFailure(source: "demo", reason: "\(plan.files.count) files expected, \(count) found"))
        }
        return failures
    }
}
