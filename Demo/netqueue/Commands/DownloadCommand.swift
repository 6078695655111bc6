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
        let output = CommandOutput(options.transfer, contentOnOutput: options.output == .standardOutput)
        guard let first = try plan.next() else {
            var ending = output.ending(.success, "Nothing to download: no list has a URL.\n")
            ending.complaint = writeFailed([])
            return ending
        }
        let feed = DownloadFeed(first, output: output)
        if options.output == .folder, let reason = NewFolders.create(absoluteFolder) {
            output.display.log(
                "netqueue: the folder “\(options.folder)” cannot be created: \(reason)".fitting(.current))
            return Ending(code: .failure)
        }
        if let path = options.failedList, let error = SystemFile.obstacle(toWriting: path) {
            // Nothing has been fetched, so that none of it may be left behind.
            feed.rest.folders.removeEmpty()
            throw UsageError(Self.complaint(path, error))
        }
        var (report, unfinished) = await run(first.downloads, plan, feed, over: transport, output)
        let rest = feed.rest
        // Before the folders that are empty go: the list may be in one of them.
        let complaint = writeFailed(rest.bad.compactMap(\.lines) + unfinished.map(\.entry.line))
        rest.folders.removeEmpty()
        report.add(rest.bad)
        report.addSkipped(rest.skippedCount)
        if report.record.isDiskFull {
            output.display.log(
                "netqueue: the disk is full: \(absoluteFolder) (parts are kept; run the same command again when there is room)"
            )
        }
        // After that failure, which has been told of, the rest of a pipe has ended.
        let hasReader = !report.record.failures.contains { $0.reason == JobFailure.readerHasGone }
        var ending = output.ending(report, hasReader ? report.text() : "")
        ending.complaint = complaint
        return ending
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
            transport: transport, display: output.display, interruption: interruption, listeners: output.listeners,
            others: { feed.counts }
        ).run()
    }

    private var absoluteFolder: String {
        URL(filePath: options.folder, directoryHint: .notDirectory).standardizedFileURL.path(percentEncoded: false)
    }

    /// Writes the list of what has failed; returns what to say where that cannot be done.
    private func writeFailed(_ lines: [String]) -> String? {
        guard let path = options.failedList else { return nil }
        do {
            // For its user alone: URLs and header fields may have secrets.
            try SystemFile.write(lines.map { $0 + "\n" }.joined(), to: path, mode: 0o600)
            return nil
        } catch {
            return Self.complaint(path, error)
        }
    }

    private static func complaint(_ path: String, _ error: POSIXError) -> String {
        "--failed: “\(path)” cannot be written: \(error.reason)"
    }
}
