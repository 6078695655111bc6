/// Where a command shows and tells what it does.
struct CommandOutput {
    let display: any ProgressDisplay
    private let options: DisplayOptions
    /// Whether the standard output has the content, and not the summary.
    private let isTaken: Bool
    private let json: JSONLog?

    init(_ options: DisplayOptions, contentOnOutput isTaken: Bool = false) {
        self.options = options
        self.isTaken = isTaken
        json = options.writesJSON ? JSONLog() : nil
        // A bar on the terminal that the content goes to would be among it.
        let isMixed = isTaken && StandardStream.output.isTerminal
        display = isMixed && options.mode == .auto ? SilentDisplay() : Display.make(options)
    }

    /// What else is told of each event.
    var listeners: [any JobListener] {
        (options.isVerbose ? [VerboseLog(display: display)] : []) + (json.map { [$0] } ?? [])
    }

    /// Tells of lines of lists that were no URLs.
    func tell(_ failures: [JobFailure]) {
        for failure in failures { display.log(failure.line) }
        json?.write(failures)
    }

    /// The end with a report; `text` is the summary.
    func ending(_ report: JobReport, _ text: String) -> Ending {
        json?.write(report)
        return ending(report.exitCode, text)
    }

    /// The end without one.
    func ending(_ code: ExitCode, _ text: String) -> Ending {
        if options.isQuiet || json != nil { return Ending(code: code) }
        guard isTaken else { return Ending(code: code, output: text) }
        StandardStream.error.write(text)
        return Ending(code: code)
    }
}
