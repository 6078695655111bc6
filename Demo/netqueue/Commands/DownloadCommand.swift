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
        let configuration = try options.transfer.configurationWithCookies()
        let output = CommandOutput(options.transfer, contentOnOutput: options.output == .standardOutput)
        guard let first = try plan.next() else {
            var ending = output.ending(.success, options.source.emptyText("download"))
            ending.complaint = FailedList.write([], to: options.failedList)
            return ending
        }
        let feed = DownloadFeed(first, output: output)
        if options.output == .folder, !first.downloads.isEmpty || plan.hasMore,
            let reason = NewFolders.create(absoluteFolder)
        {
            output.display.log(
                "netqueue: the folder “\(options.folder)” cannot be created: \(reason)".fitting(.current))
            return Ending(code: .failure)
        }
        if let path = options.failedList, let error = SystemFile.obstacle(toWriting: path) {
            // Nothing has been fetched, so that none of it may be left behind.
            feed.rest.folders.removeEmpty()
            throw UsageError(FailedList.complaint(path, error))
        }
        var (report, unfinished) = await run(first.downloads, plan, feed, configuration, over: transport, output)
        let rest = feed.rest
        // Before the folders that are empty go: the list may be in one of them.
        let complaint = FailedList.write(
            rest.bad.compactMap(\.lines) + unfinished.map(\.entry.line), to: options.failedList)
        rest.folders.removeEmpty()
        report.add(rest.bad)
        report.addSkipped(rest.skippedCount)
        if report.record.isDiskFull {
            output.display.log(
                "netqueue: the disk is full: \(absoluteFolder) (parts are kept; run the same command again when there is room)"
            )
        }
        output.tell(plan.checksums, ofAll: options.source.shard == nil && report.signal == nil)
        // After that failure, which has been told of, the rest of a pipe has ended.
        let hasReader = !report.record.failures.contains { $0.reason == JobFailure.readerHasGone }
        var ending = output.ending(report, hasReader ? report.text() : "")
        ending.complaint = complaint
        return ending
    }

    private func run(
        _ items: [Download], _ plan: DownloadPlan, _ feed: DownloadFeed,
        _ configuration: NetworkQueue.Configuration, over transport: any Transport, _ output: CommandOutput
    ) async -> (report: JobReport, unfinished: [Download]) {
        // A bar for no file would be full.
        guard !items.isEmpty || plan.hasMore else { return (JobReport(), []) }
        let interruption = Interruption()
        let signals = TerminalSignals(
            display: output.display, interruption: interruption,
            readsInput: options.source.lists.contains(SourceOptions.standardInput))
        defer { signals.stop() }
        feed.read(plan)
        return await Job(
            items: items, more: plan.hasMore ? feed.items : nil, configuration: configuration,
            transport: transport, display: output.display, interruption: interruption, failures: output.failures,
            netrc: plan.decoration.netrc, hasProxyLogin: plan.decoration.hasProxyLogin, listeners: output.listeners,
            folder: diskFolder(items), others: { feed.counts }
        ).run()
    }

    private func diskFolder(_ items: [Download]) -> String? {
        if options.output == .folder { return absoluteFolder }
        let file = items.first?.path.map { URL(filePath: $0, directoryHint: .notDirectory) }
        return file?.deletingLastPathComponent().path(percentEncoded: false)
    }

    private var absoluteFolder: String {
        URL(filePath: options.folder, directoryHint: .notDirectory).standardizedFileURL.path(percentEncoded: false)
    }
}
