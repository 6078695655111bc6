import Dashboard
import Foundation
import NetworkQueueKit

/// `netqueue URL…` and `netqueue -i FILE`.
struct DownloadCommand {
    let options: DownloadOptions

    func run() async throws(UsageError) -> Ending {
        let environment = ProcessInfo.processInfo.environment
        let plan = try DownloadPlan(options, environment: environment)
        let transport = try options.transfer.connection.makeTransport(environment: environment)
        let output = CommandOutput(options.transfer.display, contentOnOutput: options.output == .standardOutput)
        output.tell(plan.bad)
        guard !plan.downloads.isEmpty || plan.skippedCount > 0 || !plan.bad.isEmpty else {
            try writeFailed([], of: plan)
            return output.ending(.success, "Nothing to download: no list has a URL.\n")
        }
        let folders = NewFolders(for: plan.downloads.compactMap(\.file))
        if options.output == .folder, let reason = NewFolders.create(absoluteFolder) {
            output.display.log(
                "netqueue: the folder “\(options.folder)” cannot be created: \(reason)".fitting(.current))
            return Ending(code: .failure)
        }
        var report = await run(plan, over: transport, output)
        folders.removeEmpty()
        try writeFailed(report.record.unfinished, of: plan)
        report.add(plan.bad)
        report.addSkipped(plan.skippedCount)
        if report.record.isDiskFull {
            output.display.log(
                "netqueue: the disk is full: \(absoluteFolder) (parts are kept; run the same command again when there is room)"
            )
        }
        return output.ending(report, report.text())
    }

    private func run(_ plan: DownloadPlan, over transport: any Transport, _ output: CommandOutput) async -> JobReport {
        // A bar for no file would be full.
        guard !plan.downloads.isEmpty else { return JobReport() }
        let interruption = Interruption()
        let signals = TerminalSignals(display: output.display, interruption: interruption)
        defer { signals.stop() }
        return await Job(
            items: plan.downloads, configuration: options.transfer.configuration, transport: transport,
            display: output.display, interruption: interruption, listeners: output.listeners
        ).run()
    }

    private var absoluteFolder: String {
        URL(filePath: options.folder, directoryHint: .notDirectory).standardizedFileURL.path(percentEncoded: false)
    }

    private func writeFailed(_ names: Set<String>, of plan: DownloadPlan) throws(UsageError) {
        guard let path = options.failedList else { return }
        let lines = plan.downloads.filter { names.contains($0.name) }.map { $0.entry.line + "\n" }
        do {
            // For its user alone: URLs and header fields may have secrets.
            try SystemFile.write(lines.joined(), to: path, mode: 0o600)
        } catch {
            throw UsageError("--failed: “\(path)” cannot be written: \(error.reason)")
        }
    }
}
