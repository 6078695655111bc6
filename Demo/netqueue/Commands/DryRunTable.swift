import Dashboard
import Foundation
import NetworkQueueKit

/// What would become of the files of a download.
final class DryRunTable: Sendable {
    private struct Line {
        let state: DownloadPreview.State
        let size: Int64?
        /// The path of the file, if the server suggests its name.
        let path: String?
    }

    private struct State {
        var survey = PlanSurvey()
        /// The files about which nothing more is to be found out.
        var lines: [Int: Line] = [:]
        /// The files that have another checksum than they must have.
        var stale: Set<Int> = []
        var failures: [JobFailure] = []
    }

    private let maker: DownloadMaker
    private let options: Options
    private let state = Locked(State())

    init(_ maker: DownloadMaker, _ options: Options) { (self.maker, self.options) = (maker, options) }

    // MARK: What is found out

    func contains(_ number: Int) -> Bool { state.withLock { $0.lines[number] != nil } }

    /// Notes that a file is kept, whatever the server's copy is.
    func keep(_ number: Int) { add(number, size: nil, head: nil, isCurrent: true) }

    /// Notes that a file has another checksum than it must have.
    func noteStale(_ number: Int) { state.withLock { _ = $0.stale.insert(number) } }

    /// Notes a file about which the server is not asked.
    func note(_ number: Int) { add(number, size: nil, head: nil) }

    /// Notes what a server has answered.
    func note(_ number: Int, _ operation: RequestOperation) {
        let answer = operation.sizeAnswer
        let (entry, name) = (maker[number].entry, operation.request.itemName)
        if let expected = entry.size, let size = answer.size, size != expected {
            let failure = JobFailure.size(size, insteadOf: expected, source: name, lines: .entry(entry))
            return state.withLock { $0.failures.append(failure) }
        }
        let exists = maker[number].path.map { POSIXFile.exists($0) } ?? false
        if !exists, let head = answer.head, let error = maker.acceptedContent?.rejection(of: head) {
            return state.withLock { $0.failures.append(JobFailure(source: name, error)) }
        }
        // A mirror's dates say nothing about the file.
        add(number, size: answer.size, head: operation.mirror == nil ? answer.head : nil)
    }

    private func add(_ number: Int, size: Int64?, head: ResponseHead?, isCurrent: Bool? = nil) {
        let (download, request) = (maker[number], maker.item(number))
        let kept = isCurrent == true ? download.path.flatMap { POSIXFile.size($0) } : nil
        let size = kept ?? size ?? download.entry.size
        state.withLock { state in
            let isCurrent = isCurrent ?? (state.stale.contains(number) ? false : nil)
            let preview = state.survey.add(request, size: size, head: head, isCurrent: isCurrent)
            state.lines[number] = Line(
                state: preview?.state ?? .unknown, size: size,
                path: request.usesSuggestedFileName ? preview?.path : nil)
        }
    }

    // MARK: What is known

    /// The sum of the sizes that are known.
    var knownBytes: Int64 { plan.knownBytes }

    /// The plan of all files about which something is known.
    var plan: NetworkQueue.Plan { state.withLock { $0.survey.plan } }

    /// The disks that are too small for the files.
    var shortages: [DiskNeed] {
        options.checksSpace ? plan.volumes.filter(\.isTooSmall).map { DiskNeed($0) } : []
    }

    /// The files whose size contradicts the list, and those with a type that is not accepted.
    var failures: [JobFailure] { state.withLock { $0.failures } }

    /// The number of files that would be kept.
    var currentCount: Int { state.withLock { $0.lines.values.count { $0.state == .current } } }

    /// The number of files about which something is known.
    var count: Int { state.withLock { $0.lines.count } }

    /// What would become of a file; `nil` if that is not known.
    func forecast(_ number: Int) -> Forecast? {
        guard let line = state.withLock({ $0.lines[number] }) else { return nil }
        let download = maker[number]
        var name = download.name
        if let path = line.path, let last = path.parts(separatedBy: "/").last {
            name = (name.parts(separatedBy: "/").dropLast() + [last]).joined(separator: "/")
        }
        return Forecast(
            name: name, group: download.entry.group, url: download.entry.url, file: line.path ?? download.path,
            size: line.size, state: line.state)
    }

    /// One line for each file, and the totals.
    ///
    /// - Parameter failed: The names of the files whose requests have failed.
    func text(_ numbers: [Int], failed: Set<ByteText>) -> String {
        var (lines, counts, missing, unknownCount) = ("", [String: Int](), Int64(0), 0)
        for number in numbers {
            guard let forecast = forecast(number) else {
                let name = maker[number].name
                if failed.contains(ByteText(name)) {
                    lines += Forecast.line("failed", nil, name)
                    counts["failed", default: 0] += 1
                }
                continue
            }
            lines += forecast.line
            counts[forecast.word ?? "", default: 0] += 1
            guard transfers(forecast) else { continue }
            if forecast.size == nil { unknownCount += 1 }
            missing = missing.addingSaturated(max(0, (forecast.size ?? 0) - (forecast.offset ?? 0)))
        }
        let words = ["new", "changed", "resumes", "current", "unknown", "failed"]
        let parts = words.compactMap { word in counts[word].map { "\($0) \(word)" } }
        let unknown = unknownCount > 0 ? ", and \(unknownCount) of unknown size" : ""
        let disks = plan.volumes.map { DiskNeed($0) }.map { disk in
            let free = disk.free.map { ", \(ByteCount.text($0)) free" } ?? ""
            return "Space: \(ByteCount.text(disk.needed)) needed\(free) in \(disk.path.withoutControls())\n"
        }
        return lines + "\(numbers.count.counted("file")): \(parts.joined(separator: ", "))\n"
            + "To download: \(ByteCount.text(missing))\(unknown)\n" + disks.joined()
    }

    /// Whether a file would be transferred.
    private func transfers(_ forecast: Forecast) -> Bool {
        switch forecast.state {
        case .current?, nil: false
        case .changed?: ![.check, .keep].contains(options.existing)
        case .new?, .resumes?, .unknown?: true
        }
    }

    /// What to do about files that would be failures.
    var advice: String {
        let hasChanges = state.withLock { $0.lines.values.contains { $0.state == .changed } }
        guard options.existing == .check, hasChanges else { return "" }
        return "Files that have changed are an error without --update, --overwrite, --keep or --rename.\n"
    }
}
