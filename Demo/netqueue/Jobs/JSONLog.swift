import Dashboard
import Foundation
import NetworkQueueKit

/// One object a line and event on the standard output, for programs. What is there stays, and more may be added: the
/// manual has all of it.
struct JSONLog: JobListener {
    /// An event; what does not apply is left out.
    struct Event: Encodable, Equatable {
        /// `start`, `retry`, `finish`, `fail`, `cancel` or `summary`.
        var event: String
        /// When, in UTC (RFC 3339).
        var time = Event.now
        var name: String?
        /// Without name and password.
        var url: String?
        /// Which of its mirrors has served it, or failed, where it was not ``url``; without name and password.
        var mirror: String?
        var file: String?
        /// Of the response.
        var status: Int?
        /// How large the whole content of a download is; of `summary`, with sizes, that of all.
        var size: Int64?
        /// How much content went over the network, in all attempts: that of the file, not of the answer to it.
        var bytes: Int64?
        /// How long it took; with `retry`, how long it waits.
        var seconds: Double?
        /// How often it was sent.
        var attempts: Int?
        /// Whether the file was there, and is what the server has.
        var current: Bool?
        var reason: String?
        /// The reason for programs, a ``JobFailure/Code``.
        var error: String?
        /// The content of the response to an upload, at most 64 KiB.
        var body: String?
        /// Of `summary`: how many, and what came of them.
        var total, finished, kept, failed, cancelled: Int?
        /// Of `summary`, when files are only compared: how many had neither a size nor a checksum.
        var unchecked: Int?

        private static var now: String {
            Date.now.formatted(
                Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt))
        }
    }

    /// The first failure to write: what follows it would be of no use to a program.
    private let fault = Locked<POSIXError?>(nil)

    /// Why the standard output took no more; `nil` where it has taken all.
    var error: POSIXError? { fault.withLock { $0 } }

    func didStart(_ operation: RequestOperation) { write(event("start", operation)) }

    func willRetry(
        _ operation: RequestOperation, after delay: Duration, because failure: JobFailure, attempts: Int
    ) {
        var event = event("retry", operation)
        event.seconds = delay / .seconds(1)
        event.attempts = attempts
        event.reason = failure.reason
        event.error = failure.code.rawValue
        event.status = failure.status
        // The operation may be at the next one already.
        event.mirror = failure.url.flatMap { url in
            let mirrors = operation.request.mirrors.map { URLText.shown($0) }
            let text = URLText.shown(url)
            return text != event.url && mirrors.contains(text) ? text : nil
        }
        write(event)
    }

    func didFinish(_ operation: RequestOperation, wasCurrent: Bool, bytes: Int64) {
        var event = ending("finish", operation, bytes)
        event.file = operation.fileURL?.path(percentEncoded: false)
        if operation.request.body == nil {
            event.size = event.file.flatMap { SystemFile.size($0) } ?? operation.responseHead?.wholeLength
        }
        event.current = wasCurrent
        write(event)
    }

    func didFail(_ operation: RequestOperation, _ failure: JobFailure?, bytes: Int64) {
        var event = ending(failure == nil ? "cancel" : "fail", operation, bytes)
        event.reason = failure?.reason
        event.error = failure?.code.rawValue
        write(event)
    }

    /// Tells of lines of lists that were no URLs.
    func write(_ failures: [JobFailure]) {
        for failure in failures {
            write(
                Event(event: "fail", name: failure.source, reason: failure.reason, error: failure.code.rawValue))
        }
    }

    /// Tells of a file that is as it should be, as far as that is known.
    func write(_ file: FileCheck) {
        write(
            Event(
                event: "finish", name: file.name, file: file.path, bytes: 0, current: file.isComparable ? true : nil))
    }

    /// Tells what came of all.
    func write(_ report: JobReport) {
        write(
            Event(
                event: "summary", size: report.size, bytes: report.bytes, seconds: report.duration / .seconds(1),
                total: report.counts.total,
                finished: report.counts.finished, kept: report.keptCount, failed: report.counts.failed,
                cancelled: report.counts.cancelled, unchecked: report.uncheckedCount))
    }

    private func event(_ event: String, _ operation: RequestOperation) -> Event {
        Event(event: event, name: operation.request.tag, url: URLText.shown(operation.request.url))
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
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(event) else { return }
        let text = Self.escaped(String(decoding: line, as: UTF8.self)) + "\n"
        fault.withLock { fault in
            if fault == nil { fault = StandardStream.output.write(text) }
        }
    }

    /// JSON with escapes for what may change a terminal or the order of its letters, which the encoder leaves as it is:
    /// controls beyond ASCII, and marks of direction.
    static func escaped(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: \.steersTerminal) else { return json }
        return json.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.steersTerminal {
                text += String(format: "\\u%04x", scalar.value)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
