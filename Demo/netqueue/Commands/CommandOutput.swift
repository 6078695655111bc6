import Dashboard
import NetworkQueueKit

/// The progress display and logs of a command.
struct CommandOutput: Sendable {
    let display: any ProgressDisplay
    let failures: FailureLines
    /// The listeners that print or log each event.
    var listeners: [any JobListener] = []
    /// The file of `--status`, if there is one.
    private(set) var status: StatusFile?
    private let options: Options
    private let json: JSONLog?

    /// - Parameter display: The progress display; `nil` selects the one that fits the options and the terminal.
    init(_ options: Options, display: (any ProgressDisplay)? = nil) {
        self.options = options
        json = options.writesJSON ? JSONLog(shard: options.shard?.text, tellsOfItems: !options.isDryRun) : nil
        self.display = display ?? options.display
        failures = FailureLines(display: self.display, limit: options.isVerbose ? .max : FailureLines.limit)
        if options.isVerbose { listeners.append(VerboseLog(display: self.display, options)) }
        if let json { listeners.append(json) }
    }

    /// The output that also writes the file of `--status`.
    func writingStatus() throws(UsageError) -> CommandOutput {
        guard let path = options.status else { return self }
        var output = self
        output.status = try StatusFile(path, shard: options.shard) { [display] in display.log($0) }
        // Nobody takes the file of a former job for that of this one, even if this one cannot begin.
        output.status?.write(NetworkQueue.Progress())
        return output
    }

    /// Starts the log of a job's progress, if there is one, which lives as long as the result. Sizes have none.
    func logProgress(_ progress: @escaping @Sendable () -> NetworkQueue.Progress) -> Ticker? {
        guard let json, options.command != .sizes, !options.isDryRun else { return nil }
        return Ticker(interval: options.progressInterval, isFirstAtOnce: false) { json.write(progress()) }
    }

    /// Prints a line that may quote the texts of others.
    func log(_ line: String) { display.log(line.withoutControls().fitting(.current)) }

    /// Whether the standard output has JSON.
    var writesJSON: Bool { json != nil }

    /// Reports to programs what a run would do with a file.
    func tell(_ forecast: Forecast) { json?.write(forecast) }

    /// Reports to programs what is about to be transferred.
    func tell(_ plan: PlanReport) { json?.write(plan) }

    /// Reports failures that occurred without a request.
    func tell(_ more: [JobFailure]) {
        for failure in more { failures.tell(failure) }
        json?.write(more)
    }

    /// Reports a compared file and what is wrong with it, if anything.
    func tell(_ file: FileCheck, _ failure: JobFailure?) {
        if let failure { return tell([failure]) }
        if options.isVerbose { log("= \(file.name): OK") }
        json?.write(file)
    }

    /// Reports files without a checksum and checksums without a file.
    func tell(_ checksums: ChecksumBook?, ofAll isWhole: Bool) {
        for remark in checksums?.remarks(ofAll: isWhole) ?? [] { log("netqueue: \(remark)") }
    }

    /// Runs something that the user can pause and cancel with signals and keys.
    func run<Result>(_ body: (Interruption) async throws -> Result) async rethrows -> Result {
        let interruption = Interruption()
        let signals = TerminalSignals(
            display: display, interruption: interruption,
            readsInput: (options.operands + options.lists).contains(Options.standardInput))
        defer { signals.stop() }
        return try await body(interruption)
    }

    /// The ending with a report. `text` is the summary; `product` is printed before it even with `--quiet`.
    func ending(_ report: JobReport, _ text: String, product: String = "", complaint: String? = nil) -> Ending {
        json?.write(report)
        var ending = Ending(code: report.exitCode, outputError: json?.error, complaint: complaint)
        status?.end(report, ending.expectedCode)
        // Report the number of further failures that occurred outside a job.
        failures.end()
        if json != nil { return ending }
        let text = product + (options.isQuiet ? "" : text)
        if options.isContentOnOutput { StandardStream.error.write(text) } else { ending.output = text }
        return ending
    }

    /// The ending of a command that has nothing to transfer, which has no bar because an empty one would appear full.
    ///
    /// - Parameter text: The summary if nothing is wrong.
    func ending(withoutItems bad: [JobFailure], _ text: String, complaint: String? = nil) -> Ending {
        var report = JobReport()
        report.add(bad)
        return ending(report, (bad.isEmpty ? text : report.failuresText).fitting(.current), complaint: complaint)
    }
}

extension Options {
    /// Whether the standard output carries the content instead of the summary.
    fileprivate var isContentOnOutput: Bool { output == .standardOutput }

    /// The display that fits the options, the standard streams and the environment.
    fileprivate var display: any ProgressDisplay {
        let (traits, time) = (TerminalTraits.current, LogTime(isShown: showsTimes))
        // If the content or JSON goes to a terminal, a bar there would be mixed with it.
        let isMixed = mode == .auto && (isContentOnOutput || writesJSON) && StandardStream.output.isTerminal
        if isQuiet || mode == .never || isMixed { return SilentDisplay(time: time) }
        let isLive = mode == .always || StandardStream.error.isTerminal
        return isLive && traits.canMoveCursor
            ? LiveDisplay(traits: traits, time: time) : PlainDisplay(charset: traits.charset, time: time)
    }
}
