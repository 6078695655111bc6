import Dashboard
import Foundation

/// `netqueue URL…` and `netqueue -i FILE`.
struct DownloadCommand {
    let options: DownloadOptions

    func run() async throws(UsageError) -> ExitCode {
        let (urls, bad) = try readURLs()
        let display = Display.make(options.display)
        let folder = URL(filePath: options.folder, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            display.log(JobFailure(source: options.folder, reason: "the folder cannot be created").logLine)
            return .failure
        }
        for failure in bad { display.log(failure.logLine) }
        let interruption = Interruption()
        let signals = TerminalSignals(display: display, interruption: interruption)
        defer { signals.stop() }
        var report = await DownloadJob(
            downloads: plan(urls, in: folder), jobs: options.jobs, checkers: options.checkers,
            usesSizing: options.usesSizing,
            retryPolicy: options.retryPolicy,
            display: display, interruption: interruption
        ).run()
        report.add(bad)
        if !options.display.isQuiet { StandardStream.output.write(report.text()) }
        return report.exitCode
    }

    /// The URLs of the command line and the lists. A line of a list that is not a URL fails like a download; a word of the
    /// command line that is not one has been mistyped.
    private func readURLs() throws(UsageError) -> (urls: [URL], bad: [JobFailure]) {
        var urls: [URL] = []
        var bad: [JobFailure] = []
        for text in options.urls {
            guard let url = URLText.url(text) else { throw UsageError(URLText.complaint(text)) }
            urls.append(url)
        }
        for path in options.lists {
            guard let list = try? URLList(contentsOf: path) else {
                throw UsageError("the list “\(path)” cannot be read")
            }
            urls += list.urls
            bad += list.badLines.map { JobFailure(source: $0.place, reason: URLText.complaint($0.text)) }
        }
        return (urls, bad)
    }

    private func plan(_ urls: [URL], in folder: URL) -> [Download] {
        zip(urls, PathPlan(urls).paths).map { url, path in
            let file = path.reduce(folder) { $0.appending(component: $1, directoryHint: .notDirectory) }
            return Download(
                url: url, file: file, name: path.joined(separator: "/"),
                onConflict: options.overwrites ? .overwrite : .unique)
        }
    }
}
