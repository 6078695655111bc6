import NetworkQueueKit

/// `netqueue --dry-run URL…`: reads files that have a checksum, sends a HEAD for the others, and prints what would
/// become of each. Writes no file.
struct DryRunCommand {
    let options: Options

    func run() async throws(UsageError) -> Ending {
        let settings = try await RunSettings(options)
        var plan = try DownloadPlan(options, settings)
        let maker = plan.maker
        let heads = HeadJob(options, settings)
        let output = CommandOutput(options)
        if options.output == .folder, let reason = NewFolders.obstacle(to: options.absoluteFolder) {
            output.log("netqueue: the folder “\(options.folder)” cannot be created: \(reason)")
            return Ending(code: .failure)
        }
        var downloads: [Int] = []
        var rest = DownloadPlan.Portion()
        while let portion = try plan.next() {
            output.tell(portion.bad)
            downloads += portion.downloads
            rest.addRest(of: portion)
        }
        let numbers = (downloads + rest.skipped).sorted()
        if numbers.isEmpty { return output.ending(withoutItems: rest.bad, options.emptyText("download")) }
        let table = DryRunTable(maker, options)
        for number in rest.skipped { table.keep(number) }
        var report = await output.run { [badCount = rest.bad.count] interruption in
            await compare(downloads, maker, table, output, interruption)
            let open = downloads.filter { !table.contains($0) }
            guard options.usesSizing, !open.isEmpty, interruption.signal == nil else {
                if interruption.signal == nil { for number in open { table.note(number) } }
                return JobReport(signal: interruption.signal)
            }
            return await heads.run(
                open, verb: "Checking", badCount: badCount, output: output, interruption: interruption,
                bytes: { table.knownBytes }
            ) {
                (maker[$0].entry, maker[$0].name)
            } note: {
                table.note($0, $1)
            }
        }
        output.tell(table.failures)
        report.failures += table.failures
        report.counts = .init(
            finished: table.count, failed: report.failures.count,
            cancelled: max(0, numbers.count - table.count - report.failures.count))
        report.currentCount = table.currentCount
        let failed = Set(report.failures.map { ByteText($0.source) })
        report.add(rest.bad)
        for shortage in table.shortages {
            report.isDiskFull = true
            output.log(shortage.refusal)
        }
        output.tell(maker.checksums, ofAll: options.shard == nil && report.signal == nil)
        if output.writesJSON {
            for forecast in numbers.lazy.compactMap(table.forecast) { output.tell(forecast) }
        }
        output.tell(PlanReport(table.plan))
        return output.ending(
            report, (report.failuresText + table.advice).fitting(.current),
            product: table.text(numbers, failed: failed))
    }

    /// Compares the existing files that have a checksum with it.
    private func compare(
        _ downloads: [Int], _ maker: DownloadMaker, _ table: DryRunTable, _ output: CommandOutput,
        _ interruption: Interruption
    ) async {
        guard options.existing != .overwrite else { return }
        let numbers = downloads.filter { number in
            let download = maker[number]
            return download.entry.checksum != nil && download.path.flatMap { POSIXFile.size($0) } != nil
        }
        guard !numbers.isEmpty else { return }
        let files = numbers.map { FileCheck(maker[$0]) }
        let job = FileCheckJob(files, badCount: 0, output: output, interruption: interruption) { index, failure in
            if failure == nil { table.keep(numbers[index]) } else { table.noteStale(numbers[index]) }
        }
        _ = await job.run()
    }
}
