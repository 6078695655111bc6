import NetworkQueueKit

/// `netqueue --verify`: compares files with the sizes and checksums in lists.
struct VerifyCommand {
    let options: Options

    func run() async throws(UsageError) -> Ending {
        var plan = try DownloadPlan(options, await RunSettings(options))
        var bad: [JobFailure] = []
        var files: [FileCheck] = []
        while let portion = try plan.next() {
            bad += portion.bad
            files += portion.downloads.map { FileCheck(plan.maker[$0]) }
        }
        // Without URLs, verify all files that the checksum lists name.
        let isOfChecksums = options.operands.isEmpty && options.lists.isEmpty
        if isOfChecksums, let checksums = plan.maker.checksums {
            bad = checksums.bad
            files = checksums.names.map { FileCheck($0, of: checksums, in: options.folder) }
        }
        if let path = options.failedList, let error = POSIXFile.obstacle(toWriting: path) {
            throw UsageError(FailedList.complaint(path, error))
        }
        let output = CommandOutput(options)
        output.tell(bad)
        var (report, unfinished) = await output.run { interruption in
            await FileCheckJob(files, badCount: bad.count, output: output, interruption: interruption).run()
        }
        report.failures = bad + report.failures
        if !isOfChecksums { output.tell(plan.maker.checksums, ofAll: options.shard == nil) }
        let unknown = files.count { !$0.isComparable }
        report.uncheckedCount = unknown
        let remark = unknown > 0 ? ", \(unknown) without size or checksum" : ""
        let complaint = FailedList.write(
            bad, unfinished, isJSON: plan.maker.store.hasJSON, to: options.failedList)
        return output.ending(report, report.text(remark: remark), complaint: complaint)
    }
}
