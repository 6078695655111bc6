import Dashboard
import Foundation
import NetworkQueueKit

/// `netqueue URL…` and `netqueue -i FILE`.
struct DownloadCommand {
    let options: DownloadOptions

    func run() async throws(UsageError) -> Ending {
        let environment = ProcessInfo.processInfo.environment
        var plan = try DownloadPlan(options, environment: environment)
        let transport = try options.transfer.connection.makeTransport(environment: environment)
        let output = CommandOutput(options.transfer.display, contentOnOutput: options.output == .standardOutput)
        guard let first = try plan.next() else {
            try writeFailed([])
            return output.ending(.success, "Nothing to download: no list has a URL.\n")
        }
        let feed = DownloadFeed(first, output: output)
        if options.output == .folder, let reason = NewFolders.create(absoluteFolder) {
            output.display.log(
                "netqueue: the folder “\(options.folder)” cannot be created: \(reason)".fitting(.current))
            return Ending(code: .failure)
        }
        var (report, unfinished) = await run(first.downloads, plan, feed, over: transport, output)
        let rest = feed.rest
        rest.folders.removeEmpty()
        try writeFailed(rest.clashing + unfinished.map(\.entry))
        report.add(rest.bad)
        report.addSkipped(rest.skippedCount)
        if report.record.isDiskFull {
            output.display.log(
                "netqueue: the disk is full: \(absoluteFolder) (parts are kept; run the same command again when there is room)"
            )
        }
        return output.ending(report, report.text())
    }

    private func run(
        _ items: [Download], _ plan: DownloadPlan, _ feed: DownloadFeed, over transport: any Transport,
        _ output: CommandOutput
    ) async -> (report: JobReport, unfinished: [Download]) {
        // A bar for no file would be full.
        guard !items.isEmpty || plan.hasMore else { return (JobReport(), []) }
        let interruption = Interruption()
        let signals = TerminalSignals(display: output.display, interruption: interruption)
        defer { signals.stop() }
        feed.read(plan)
        return await Job(
            items: items, more: plan.hasMore ? feed.items : nil, configuration: options.transfer.configuration,
            transport: transport, display: output.display, interruption: interruption, listeners: output.listeners
        ).run()
    }

    private var absoluteFolder: String {
        URL(filePath: options.folder, directoryHint: .notDirectory).standardizedFileURL.path(percentEncoded: false)
    }

    private func writeFailed(_ entries: [ListEntry]) throws(UsageError) {
        guard let path = options.failedList else { return }
        let lines = entries.map { $0.line + "\n" }
        do {
            // For its user alone: URLs and header fields may have secrets.
            try SystemFile.write(lines.joined(), to: path, mode: 0o600)
        } catch {
            throw UsageError("--failed: “\(path)” cannot be written: \(error.reason)")
        }
    }
}
