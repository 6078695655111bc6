import Dashboard

/// Where a command shows and tells what it does.
struct CommandOutput {
    let display: any ProgressDisplay
    let failures: FailureLines
    private let options: DisplayOptions
    /// Whether the standard output has the content, and not the summary.
    private let isTaken: Bool
    private let json: JSONLog?
    private let transfer: TransferOptions

    init(_ transfer: TransferOptions, contentOnOutput isTaken: Bool = false) {
        let options = transfer.display
        self.transfer = transfer
        self.options = options
        self.isTaken = isTaken
        json = options.writesJSON ? JSONLog() : nil
        // A bar on the terminal that the content or the JSON goes to would be among it.
        let isMixed = (isTaken || options.writesJSON) && StandardStream.output.isTerminal
        display = isMixed && options.mode == .auto ? SilentDisplay() : Display.make(options)
        failures = FailureLines(display: display, limit: options.isVerbose ? .max : FailureLines.limit)
    }

    /// What else is told of each event.
    var listeners: [any JobListener] {
        (options.isVerbose ? [verboseLog] : []) + (json.map { [$0] } ?? [])
    }

    private var verboseLog: VerboseLog {
        var headers = transfer.configuration.headers
        if !headers.contains("User-Agent"), !transfer.connection.sentUserAgent.isEmpty {
            headers.append(name: "User-Agent", value: transfer.connection.sentUserAgent)
        }
        return VerboseLog(
            display: display, defaults: headers, acceptsCompressed: transfer.acceptsCompressed,
            curlOptions: transfer.curlOptions)
    }

    /// Tells of what has failed without a request.
    func tell(_ more: [JobFailure]) {
        for failure in more { failures.tell(failure) }
        json?.write(more)
    }

    /// Tells of a file that has been compared, and what is wrong with it.
    func tell(_ file: FileCheck, _ failure: JobFailure?) {
        if let failure { return tell([failure]) }
        if options.isVerbose { display.log("= \(file.name): as it should be".withoutControls().fitting(.current)) }
        json?.write(file)
    }

    /// Tells of files and checksums that do not belong together.
    func tell(_ checksums: ChecksumBook?, ofAll isWhole: Bool) {
        for remark in checksums?.remarks(ofAll: isWhole) ?? [] {
            display.log(remark.withoutControls().fitting(.current))
        }
    }

    /// The end with a report; `text` is the summary, and `product` stands before it in any case.
    func ending(_ report: JobReport, _ text: String, product: String = "") -> Ending {
        json?.write(report)
        return ending(report.exitCode, text, product: product)
    }

    /// The end without one.
    func ending(_ code: ExitCode, _ text: String, product: String = "") -> Ending {
        // Of those that have failed without a job.
        failures.end()
        if json != nil { return Ending(code: code, outputError: json?.error) }
        let text = product + (options.isQuiet ? "" : text)
        guard isTaken else { return Ending(code: code, output: text) }
        StandardStream.error.write(text)
        return Ending(code: code)
    }
}
