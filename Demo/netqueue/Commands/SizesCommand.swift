import NetworkQueueKit

/// `netqueue sizes URL…`: sends a HEAD for each URL, and a GET for the first byte if HEAD is refused.
struct SizesCommand {
    let options: Options

    func run() async throws(UsageError) -> Ending {
        let settings = try await RunSettings(options)
        let source = try SourceReader.readAll(options, settings)
        let job = HeadJob(options, settings)
        let names = Self.names(of: source.entries)
        let output = CommandOutput(options)
        output.tell(source.bad)
        if names.isEmpty { return output.ending(withoutItems: source.bad, options.emptyText("size")) }
        let sizes = SizeTable()
        var report = await output.run { interruption in
            await job.run(
                Array(names.indices), verb: "Requesting the sizes of", badCount: source.bad.count, output: output,
                interruption: interruption, bytes: { sizes.total }
            ) {
                (source.entries[$0], names[$0])
            } note: { number, operation in
                sizes.note(operation.responseHead?.wholeLength, of: number)
            }
        }
        report.add(source.bad)
        report.size = sizes.total
        return output.ending(report, report.failuresText.fitting(.current), product: sizes.text(names))
    }

    /// A name for each entry: its URL without a login, with a number if an earlier entry has the same.
    private static func names(of entries: [ListEntry]) -> [String] {
        var counts: [String: Int] = [:]
        return entries.map { entry in
            let text = URLText.shown(entry.url)
            let count = counts[text, default: 0] + 1
            counts[text] = count
            return count == 1 ? text : "\(text) (\(count))"
        }
    }
}
