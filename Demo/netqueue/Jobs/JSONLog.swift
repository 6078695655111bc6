import Dashboard
import Foundation
import NetworkQueueKit

/// Writes one JSON object per event to the standard output, one per line, for other programs. Existing fields are
/// stable, and more may be added; the manual documents all of them.
struct JSONLog: JobListener {
    /// An event. Fields that do not apply are omitted.
    struct Event: Encodable, Equatable {
        /// `plan`, `start`, `progress`, `retry`, `finish`, `fail`, `cancel`, `group`, `check` or `summary`.
        var event: String
        /// The version of this form. It rises only if a field changes its meaning.
        var v = 1
        /// The time of the event in UTC (RFC 3339).
        var time = LogTime.now
        /// The part of the list that the job downloads, as K/N.
        var shard: String?
        var name: String?
        /// The name of the group in the list.
        var group: String?
        /// The URL, without user name and password.
        var url: String?
        /// The mirror that served the content or failed, if that was not ``url``; without user name and password.
        var mirror: String?
        var file: String?
        /// The status of the response.
        var status: Int?
        /// The size of a download's whole content; with `summary` of `sizes`, the sum of all sizes.
        var size: Int64?
        /// The number of content bytes transferred in all attempts, without the response to an upload; with the
        /// `summary` of `--verify`, the number of bytes read from the files.
        var bytes: Int64?
        /// The duration; with `retry`, the delay.
        var seconds: Double?
        /// The number of attempts.
        var attempts: Int?
        /// Whether the file already existed and is up to date; with `--verify`, true if it passed a comparison.
        var current: Bool?
        var reason: String?
        /// The reason for programs, a ``JobFailure/Code``.
        var error: String?
        /// With `fail`: what the response says, in one line.
        var answer: String?
        /// The content of the response to an upload, at most 64 KiB.
        var body: String?
        /// With `summary` and `group`: the number of items in total and by outcome.
        var total, finished, kept, failed, cancelled: Int?
        /// With the `summary` of `--verify`: the number of files with neither a size nor a checksum.
        var unchecked: Int?
        /// With `check`: what would become of the file.
        var state: String?
        /// With `check`: the number of bytes after which an interrupted download goes on.
        var offset: Int64?
        /// With `plan`: what is about to be transferred.
        var plan: PlanReport?
        /// With `fail`: what the files need on a disk that is too small for them.
        var space: DiskNeed?
        /// With `progress`: the progress of the whole job.
        var progress: NetworkQueue.Progress?
        /// With `summary`: the folders on disks that did not take all files.
        var unflushed: [String]?
    }

    /// The part of the list that the job downloads, as K/N.
    var shard: String?
    /// Whether items have events for their start and end, which in a dry run are those of a question.
    var tellsOfItems = true
    private let state = Locked(State())

    private struct State {
        /// The first write error. Later events are discarded, because programs cannot use an incomplete stream.
        var error: POSIXError?
        /// Whether the summary, which is the last line, has been written.
        var isEnded = false
    }

    /// The error of the standard output; `nil` if it has accepted everything.
    var error: POSIXError? { state.withLock { $0.error } }

    func receive(_ event: JobEvent) {
        switch event {
        case .started where !tellsOfItems, .finished where !tellsOfItems, .groupEnded where !tellsOfItems: break
        case .started(let operation): write(self.event("start", operation))
        case .retry(let operation, let delay, let failure, let attempts):
            var event = self.event("retry", operation)
            event.seconds = delay / .seconds(1)
            event.attempts = attempts
            event.reason = failure.reason
            event.error = failure.code.rawValue
            event.status = failure.status
            // The operation may already have turned to the next mirror.
            event.mirror = failure.url.flatMap { url in
                let mirrors = operation.request.mirrors.map { URLText.shown($0) }
                let text = URLText.shown(url)
                return text != event.url && mirrors.contains(text) ? text : nil
            }
            write(event)
        case .finished(let operation, let wasCurrent, let bytes):
            var event = ending("finish", operation, bytes)
            event.file = operation.fileURL?.path(percentEncoded: false)
            if operation.request.body == nil {
                event.size = event.file.flatMap { POSIXFile.size($0) } ?? operation.responseHead?.wholeLength
            }
            event.current = wasCurrent
            write(event)
        case .failed(let operation, let failure, let bytes):
            var event = ending(failure == nil ? "cancel" : "fail", operation, bytes)
            event.reason = failure?.reason
            event.error = failure?.code.rawValue
            event.answer = failure?.answer
            event.space = failure?.space
            write(event)
        case .groupEnded(let group, let summary):
            let counts = summary.counts
            write(
                Event(
                    event: "group", group: group.name, bytes: summary.bytesReceived,
                    seconds: summary.duration / .seconds(1), total: counts.total, finished: counts.finished,
                    failed: counts.failed, cancelled: counts.cancelled))
        case .starting, .head, .redirect, .challenge: break
        }
    }

    /// Writes the progress of the whole job.
    func write(_ progress: NetworkQueue.Progress) { write(Event(event: "progress", progress: progress)) }

    /// Writes what a run would do with a file.
    func write(_ forecast: Forecast) {
        write(
            Event(
                event: "check", name: forecast.name, group: forecast.group, url: URLText.shown(forecast.url),
                file: forecast.file, size: forecast.size, state: forecast.word, offset: forecast.offset))
    }

    /// Writes what is about to be transferred.
    func write(_ plan: PlanReport) { write(Event(event: "plan", plan: plan)) }

    /// Writes failures without a request, such as invalid lines of lists.
    func write(_ failures: [JobFailure]) {
        for failure in failures {
            write(Event(event: "fail", name: failure.source, reason: failure.reason, error: failure.code.rawValue))
        }
    }

    /// Writes that a file has passed all possible comparisons.
    func write(_ file: FileCheck) {
        write(
            Event(event: "finish", name: file.name, file: file.path, bytes: 0, current: file.isComparable ? true : nil))
    }

    /// Writes the summary.
    func write(_ report: JobReport) {
        write(
            Event(
                event: "summary", size: report.size, bytes: report.bytes, seconds: report.duration / .seconds(1),
                total: report.counts.total, finished: report.counts.finished, kept: report.keptCount,
                failed: report.counts.failed, cancelled: report.counts.cancelled, unchecked: report.uncheckedCount,
                unflushed: report.unflushed.isEmpty ? nil : report.unflushed))
    }

    private func event(_ event: String, _ operation: RequestOperation) -> Event {
        Event(
            event: event, name: operation.request.tag, group: operation.request.group,
            url: URLText.shown(operation.request.url))
    }

    private func ending(_ name: String, _ operation: RequestOperation, _ bytes: Int64) -> Event {
        var event = event(name, operation)
        event.status = operation.responseHead?.statusCode
        event.bytes = bytes
        event.seconds = operation.metrics.map { $0.duration / .seconds(1) }
        event.attempts = operation.attempts
        event.mirror = operation.mirror.map { URLText.shown($0) }
        event.body = operation.answer.map { String(decoding: $0, as: UTF8.self) }
        return event
    }

    private func write(_ event: Event) {
        var event = event
        event.shard = shard
        guard let text = try? Self.line(event) else { return }
        state.withLock { state in
            // A progress that was read before the end may come after it.
            guard state.error == nil, !state.isEnded else { return }
            state.error = StandardStream.output.write(text)
            state.isEnded = event.event == "summary"
        }
    }

    /// JSON with escapes for characters that the encoder keeps although they may affect a terminal: non-ASCII controls
    /// and bidirectional formatting characters.
    static func escaped(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: \.steersTerminal) else { return json }
        let parts = json.unicodeScalars.map { $0.steersTerminal ? String(format: "\\u%04x", $0.value) : String($0) }
        return parts.joined()
    }
}
