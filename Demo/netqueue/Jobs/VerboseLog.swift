import Dashboard
import Foundation
import NetworkQueueKit

/// Prints one line per event to the standard error, and requests as curl commands without secrets.
struct VerboseLog: JobListener {
    let display: any ProgressDisplay
    private let options: Options
    /// The header fields that the queue and the transport add to the requests.
    private let defaults: HTTPHeaders
    /// The transfers that resume a part and whose command has not been printed yet.
    private let resumed = Locked<Set<RequestOperation.ID>>([])

    init(display: any ProgressDisplay, _ options: Options = Options()) {
        var options = options
        if options.withholdsSecrets {
            // Not for every server; the requests for the others have the fields.
            (options.headers, options.login, options.certificate, options.key) = ([], nil, nil, nil)
        }
        (self.display, self.options) = (display, options)
        var defaults = options.configuration.headers
        if !defaults.contains("User-Agent"), !options.sentUserAgent.isEmpty {
            defaults.append(name: "User-Agent", value: options.sentUserAgent)
        }
        self.defaults = defaults
    }

    func receive(_ event: JobEvent) {
        switch event {
        case .starting(let request, let id):
            // Check now: later, the part may be one that this transfer has created.
            let hasPart = request.part.flatMap { POSIXFile.size($0) } ?? 0 > 0
            if hasPart { resumed.withLock { _ = $0.insert(id) } }
        case .started(let operation): write("> " + command(operation))
        case .redirect(let request, let url, let head):
            write("< \(name(request)): \(head.statusCode), redirects to \(URLText.shown(url))")
        case .challenge(let challenge, let request):
            let scheme = if case .basic = challenge.scheme { "Basic" } else { "Digest" }
            let source = challenge.isProxy ? "the proxy asks" : "asks"
            let again = challenge.previousFailureCount > 0 ? " again" : ""
            write(
                "< \(name(request)): \(challenge.response.statusCode), \(source)\(again) for credentials "
                    + "(\(scheme), “\(challenge.realm)”)")
        case .head(let head, let operation):
            let status = ["\(head.statusCode)", head.headers["Content-Type"]].compactMap(\.self).joined(separator: " ")
            let length = head.expectedContentLength.map { ", \(ByteCount.text($0))" } ?? ""
            write("< \(name(operation.request)): \(status)\(length)")
        case .retry(let operation, let delay, let failure, _):
            guard !display.tellsOfRetries else { break }
            let next = RetryLines.next(
                after: failure, in: delay, operation.mirror(after: failure), failure.url,
                isRenewing: operation.isRenewing(after: failure, in: delay))
            write("\(name(operation.request)): \(failure.reason); \(next)")
        case .finished(let operation, let wasCurrent, let bytes): didFinish(operation, wasCurrent, bytes)
        case .failed(let operation, nil, _): write("- \(name(operation.request)): cancelled")
        case .failed, .groupEnded: break
        }
    }

    /// The request as a curl command.
    private func command(_ operation: RequestOperation) -> String {
        var request = operation.request
        let own = request.headers
        for field in defaults where own.mayGain(field.name) {
            request.headers.append(name: field.name, value: field.value)
        }
        // The options below have the field of the user agent.
        for name in defaults.suppressedNames where name.lowercased() != "user-agent" { request.headers.suppress(name) }
        if options.acceptsCompressed { request.acceptsCompressed = true }
        var words = options.curlOptions
        // curl then resumes the part, as this program does.
        if resumed.withLock({ $0.remove(operation.id) }) != nil, let part = request.part,
            case .file(_, let policy, _) = request.destination
        {
            request.destination = .file(URL(filePath: part), onConflict: policy)
            words += ["-C", "-"]
        }
        // The standard input has been copied to a file without a name.
        let command = RequestOperation(request).curlCommand().replacing(
            /--data-binary @\/dev\/fd\/[0-9]+/, with: "--data-binary @-")
        return ([command] + words).joined(separator: " ")
    }

    private func didFinish(_ operation: RequestOperation, _ wasCurrent: Bool, _ bytes: Int64) {
        let name = name(operation.request)
        guard !wasCurrent, let metrics = operation.metrics else { return write("= \(name): already up to date") }
        if let answer = operation.answerLine { write("< \(name): \(answer)") }
        let sent = operation.progress.upload
        if let length = sent.expected, sent.transferred < length {
            let amounts = "\(ByteCount.text(sent.transferred)) of \(ByteCount.text(length))"
            write("< \(name): answered before all content was sent, after \(amounts)")
        }
        let mirror = operation.mirror.map { " from \(URLText.shown($0))" } ?? ""
        write("= \(name): \(ByteCount.text(bytes)) in \(TimeText.elapsed(metrics.duration))\(mirror)")
    }

    /// The request's name. The library's own HEAD requests have no tag.
    private func name(_ request: NetworkRequest) -> String { request.tag ?? URLText.shown(request.url) }

    private func write(_ line: String) { display.log(line.withoutControls().fitting(.current)) }
}
