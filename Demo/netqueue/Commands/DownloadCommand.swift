import Dashboard
import Foundation
import NetworkQueueKit

/// `netqueue URL…` and `netqueue -i FILE`.
struct DownloadCommand {
    let options: Options

    func run() async throws(UsageError) -> Ending {
        let settings = try await RunSettings(options)
        var plan = try DownloadPlan(options, settings)
        let output = try CommandOutput(options).writingStatus()
        guard let first = try plan.next() else {
            let complaint = FailedList.write([], [], to: options.failedList)
            return output.ending(JobReport(), options.emptyText("download"), complaint: complaint)
        }
        let feed = DownloadFeed(plan, first, output: output)
        let maker = plan.maker
        if options.output == .folder, !first.downloads.isEmpty || !feed.items.isComplete,
            let reason = NewFolders.create(options.absoluteFolder)
        {
            output.log("netqueue: the folder “\(options.folder)” cannot be created: \(reason)")
            return Ending(code: .failure)
        }
        if let path = options.failedList, let error = POSIXFile.obstacle(toWriting: path) {
            // Nothing has been fetched yet, so leave no empty folders behind.
            feed.rest.folders.removeEmpty()
            throw UsageError(FailedList.complaint(path, error))
        }
        var report = await run(feed, maker, size: first.size, settings, output)
        let rest = feed.rest
        // Write the list before removing empty folders, because it may be in one of them.
        let complaint = FailedList.write(
            rest.bad, report.unfinished.lazy.map { .entry(maker.entryToRepeat($0)) },
            isJSON: maker.store.hasJSON, to: options.failedList)
        rest.folders.removeEmpty()
        report.add(rest.bad)
        report.addSkipped(rest.skipped.count)
        if report.isDiskFull {
            output.display.log(
                "netqueue: the disk is full: \(options.absoluteFolder.withoutControls()) (partial downloads are kept; free up space and run the same command again)"
            )
        }
        output.tell(maker.checksums, ofAll: options.shard == nil && report.signal == nil && !report.isStopped)
        // That failure has been reported; the rest of the pipe has ended, so it gets no summary.
        return output.ending(
            report, report.advises(.noSummary) ? "" : report.text() + advice(after: report), complaint: complaint)
    }

    /// What to do if the server has refused some files because there were too many requests.
    private func advice(after report: JobReport) -> String {
        guard report.advises(.tooManyRequests), options.output == .folder, options.existing != .keep,
            !options.usesSuggestedNames
        else {
            return ""
        }
        return "The server limits the number of requests. Run the same command with --keep later: it goes on without "
            + "asking for files that are already there.\n"
    }

    private func run(
        _ feed: DownloadFeed, _ maker: DownloadMaker, size: Int64?, _ settings: RunSettings, _ output: CommandOutput
    ) async -> JobReport {
        let items = feed.items
        // A bar for no files would appear full.
        guard items.count > 0 || !items.isComplete else { return JobReport() }
        return await output.run { interruption in
            let job = Job(
                items: items, isGrowing: !items.isComplete, configuration: settings.configuration,
                transport: settings.transport, output: output, interruption: interruption,
                decoration: maker.decoration, folder: diskFolder(items), size: items.isComplete ? size : nil,
                others: { feed.counts }, groups: { feed.rest.groups }, stop: options.stop, endItems: feed.end)
            feed.read()
            // Those of --exec go on after the first signal, and need the time that is left after the second.
            let commands = [maker.exec?.command, maker.refresh?.command].compactMap(\.self)
            let stop = { @Sendable in for command in commands { command.stop() } }
            interruption.onLeaving(stop)
            defer { stop() }
            return await job.run()
        }
    }

    private func diskFolder(_ items: ItemFeed) -> String? {
        if options.output == .folder { return options.absoluteFolder }
        guard case .file(let file, _, _)? = items.all.first(where: { _ in true })?.destination else {
            return nil
        }
        return file.deletingLastPathComponent().path(percentEncoded: false)
    }
}

extension Options {
    /// The absolute path of the folder for the files.
    var absoluteFolder: String {
        URL(filePath: folder, directoryHint: .notDirectory).standardizedFileURL.path(percentEncoded: false)
    }
}
