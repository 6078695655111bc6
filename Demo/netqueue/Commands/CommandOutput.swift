import Dashboard
import NetworkQueueKit

/// The progress display and logs of a command.
struct CommandOutput {
    let display: any ProgressDisplay
    let failures: FailureLines
    private let options: Options
    /// Whether the standard output carries the content instead of the summary.
    private let isTaken: Bool
    private let json: JSONLog?

    init(_ options: Options) {
        self.options = options
        isTaken = options.output == .standardOutput
        json = options.writesJSON ? JSONLog(shard: options.shard.map { "\($0.number)/\($0.count)" }) : nil
        // If the content or JSON goes to a terminal, a bar there would be mixed with it.
        let isMixed = (isTaken || options.writesJSON) && StandardStream.output.isTerminal
        display = isMixed && options.mode == .auto ? SilentDisplay() : Display.make(options)
        failures = FailureLines(display: display, limit: options.isVerbose ? .max : FailureLines.limit)
    }

    /// The listeners that print or log each event.
    var listeners: [any JobListener] {
        (options.isVerbose ? [verboseLog] : []) + (json.map { [$0] } ?? [])
    }

    /// The log of the job's progress, if there is one.
    var progressLog: (interval: Duration, tell: @Sendable (NetworkQueue.Progress) -> Void)? {
        json.map { json in (options.progressInterval, { json.write($0) }) }
    }

    private var verboseLog: VerboseLog {
        var headers = options.configuration.headers
        if !headers.contains("User-Agent"), !options.sentUserAgent.isEmpty {
            headers.append(name: "User-Agent", value: options.sentUserAgent)
        }
        return VerboseLog(
            display: display, defaults: headers, acceptsCompressed: options.acceptsCompressed,
            curlOptions: options.curlOptions)
    }

    /// Reports failures that occurred without a request.
    func tell(_ more: [JobFailure]) {
        for failure in more { failures.tell(failure) }
        json?.write(more)
    }

    /// Reports a compared file and what is wrong with it, if anything.
    func tell(_ file: FileCheck, _ failure: JobFailure?) {
        if let failure { return tell([failure]) }
        if options.isVerbose { display.log("= \(file.name): OK".withoutControls().fitting(.current)) }
        json?.write(file)
    }

    /// Reports files without a checksum and checksums without a file.
    func tell(_ checksums: ChecksumBook?, ofAll isWhole: Bool) {
        for remark in checksums?.remarks(ofAll: isWhole) ?? [] {
            display.log(remark.withoutControls().fitting(.current))
        }
    }

    /// The ending with a report. `text` is the summary; `product` is printed before it even with `--quiet`.
    func ending(_ report: JobReport, _ text: String, product: String = "") -> Ending {
        json?.write(report)
        return ending(report.exitCode, text, product: product)
    }

    /// The ending without a report.
    func ending(_ code: ExitCode, _ text: String, product: String = "") -> Ending {
        // Report the number of further failures that occurred outside a job.
        failures.end()
        if json != nil { return Ending(code: code, outputError: json?.error) }
        let text = product + (options.isQuiet ? "" : text)
        guard isTaken else { return Ending(code: code, output: text) }
        StandardStream.error.write(text)
        return Ending(code: code)
    }
}
