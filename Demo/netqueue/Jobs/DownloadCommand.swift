import Dashboard
import Foundation
import NetworkQueueKit

/// `netqueue URL…` and `netqueue -i FILE`.
struct DownloadCommand {
    let options: DownloadOptions

    func run() async throws(UsageError) -> Ending {
        let environment = ProcessInfo.processInfo.environment
        let plan = try DownloadPlan(options, environment: environment)
        let transport: any Transport
        do {
            transport = try options.connection.makeTransport(environment: environment)
        } catch {
            throw UsageError(error.description)
        }
        let display = makeDisplay()
        for failure in plan.bad { display.log(failure.line) }
        guard !plan.downloads.isEmpty || plan.skippedCount > 0 || !plan.bad.isEmpty else {
            try writeFailed([], of: plan)
            return ending(.success, "Nothing to download: no list has a URL.\n")
        }
        let folders = NewFolders(for: plan.downloads.compactMap(\.file))
        if let failure = createFolder() {
            display.log(failure)
            return Ending(code: .failure)
        }
        let interruption = Interruption()
        let signals = TerminalSignals(display: display, interruption: interruption)
        defer { signals.stop() }
        var report = await run(plan, over: transport, display: display, interruption: interruption)
        folders.removeEmpty()
        try writeFailed(report.record.unfinished, of: plan)
        report.add(plan.bad)
        report.counts.total += plan.skippedCount
        report.counts.finished += plan.skippedCount
        report.skippedCount = plan.skippedCount
        if report.record.isDiskFull {
            display.log(
                "netqueue: the disk is full: \(absoluteFolder) (parts are kept; run the same command again when there is room)"
            )
        }
        return ending(report.exitCode, report.text())
    }

    private func run(
        _ plan: DownloadPlan, over transport: any Transport, display: any ProgressDisplay, interruption: Interruption
    ) async -> JobReport {
        // A bar for no file would be full.
        guard !plan.downloads.isEmpty else {
            return JobReport(counts: .init(), bytes: 0, duration: .zero, record: JobRecord())
        }
        return await DownloadJob(
            downloads: plan.downloads, configuration: options.configuration, transport: transport, display: display,
            interruption: interruption
        ).run()
    }

    /// A bar on the terminal that the content goes to would be among it.
    private func makeDisplay() -> any ProgressDisplay {
        let isMixed = options.output == .standardOutput && StandardStream.output.isTerminal
        return isMixed && options.display.mode == .auto ? SilentDisplay() : Display.make(options.display)
    }

    /// The summary is for the standard output, unless that has the content.
    private func ending(_ code: ExitCode, _ text: String) -> Ending {
        if options.display.isQuiet { return Ending(code: code) }
        guard options.output == .standardOutput else { return Ending(code: code, output: text) }
        StandardStream.error.write(text)
        return Ending(code: code)
    }

    private var absoluteFolder: String {
        URL(filePath: options.folder, directoryHint: .notDirectory).standardizedFileURL.path(percentEncoded: false)
    }

    /// Returns what to say where the folder cannot be created.
    private func createFolder() -> String? {
        guard options.output == .folder else { return nil }
        let parts = absoluteFolder.split(separator: "/")
        for depth in parts.indices {
            let path = "/" + parts[...depth].joined(separator: "/")
            guard mkdir(path, 0o777) != 0, errno != EEXIST, errno != EISDIR else { continue }
            let reason = String(cString: strerror(errno))
            var status = stat()
            // What is there may be on a file system where nothing can be created.
            if stat(path, &status) == 0 { continue }
            return "netqueue: the folder “\(options.folder)” cannot be created: \(reason)".fitting(.current)
        }
        return nil
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
