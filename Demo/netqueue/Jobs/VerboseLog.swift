import Dashboard
import Foundation
import NetworkQueueKit

/// Prints one line per event to the standard error, and requests as curl commands without secrets.
struct VerboseLog: JobListener {
    let display: any ProgressDisplay
    /// The header fields that the queue and the transport add to the requests.
    var defaults = HTTPHeaders()
    var acceptsCompressed = false
    /// The curl options needed in addition to those of a request.
    var curlOptions: [String] = []
    /// The transfers that resume a part and whose command has not been printed yet.
    private let resumed = Locked<Set<RequestOperation.ID>>([])

    func willStart(_ request: NetworkRequest, id: RequestOperation.ID) {
        // Check now: later, the part may be one that this transfer has created.
        guard let part = part(of: request), SystemFile.size(part.path(percentEncoded: false)) ?? 0 > 0 else { return }
        resumed.withLock { _ = $0.insert(id) }
    }

    private func part(of request: NetworkRequest) -> URL? {
        if case .file(let file, onConflict: _, resumes: true) = request.destination {
            file.appendingPathExtension("nqk.part")
        } else {
            nil
        }
    }

    func didStart(_ operation: RequestOperation) {
        var request = operation.request
        let own = request.headers
        for field in defaults where !own.contains(field.name) && !own.isSuppressed(field.name) {
            request.headers.append(name: field.name, value: field.value)
        }
        // The options below have the field of the user agent.
        for name in defaults.suppressedNames where name.lowercased() != "user-agent" { request.headers.suppress(name) }
        if acceptsCompressed { request.acceptsCompressed = true }
        var options = curlOptions
        // curl then resumes the part, as this program does.
        if resumed.withLock({ $0.remove(operation.id) }) != nil, let part = part(of: request),
            case .file(_, let policy, _) = request.destination
        {
            request.destination = .file(part, onConflict: policy)
            options += ["-C", "-"]
        }
        // The standard input has been copied to a file without a name.
        let command = RequestOperation(request).curlCommand()
            .replacing(/--data-binary @\/dev\/fd\/[0-9]+/, with: "--data-binary @-")
        write("> " + ([command] + options).joined(separator: " "))
    }

    func willRedirect(_ request: NetworkRequest, to url: URL, after head: ResponseHead) {
        write("< \(name(request)): \(head.statusCode), redirects to \(URLText.shown(url))")
    }

    func didReceive(_ challenge: AuthenticationChallenge, for request: NetworkRequest) {
        let scheme = if case .basic = challenge.scheme { "Basic" } else { "Digest" }
        let source = challenge.isProxy ? "the proxy asks" : "asks"
        let again = challenge.previousFailureCount > 0 ? " again" : ""
        write(
            "< \(name(request)): \(challenge.response.statusCode), \(source)\(again) for credentials "
                + "(\(scheme), “\(challenge.realm)”)")
    }

    func didReceiveHead(_ head: ResponseHead, of operation: RequestOperation) {
        let status = ["\(head.statusCode)", head.headers["Content-Type"]].compactMap(\.self).joined(separator: " ")
        let length = head.expectedContentLength.map { ", \(ByteCount.text($0))" } ?? ""
        write("< \(name(operation)): \(status)\(length)")
    }

    func willRetry(
        _ operation: RequestOperation, after delay: Duration, because failure: JobFailure, attempts: Int
    ) {
        guard !display.tellsOfRetries else { return }
        let next = RetryLines.next(after: failure, in: delay, operation.mirror(after: failure), failure.url)
        write("\(name(operation)): \(failure.reason); \(next)")
    }

    func didFinish(_ operation: RequestOperation, wasCurrent: Bool, bytes: Int64) {
        guard !wasCurrent, let metrics = operation.metrics else {
            return write("= \(name(operation)): already up to date")
        }
        if let answer = operation.answerLine { write("< \(name(operation)): \(answer)") }
        let sent = operation.progress.upload
        if let length = sent.expected, sent.transferred < length {
            let amounts = "\(ByteCount.text(sent.transferred)) of \(ByteCount.text(length))"
            write("< \(name(operation)): answered before all content was sent, after \(amounts)")
        }
        let mirror = operation.mirror.map { " from \(URLText.shown($0))" } ?? ""
        write("= \(name(operation)): \(ByteCount.text(bytes)) in \(TimeText.elapsed(metrics.duration))\(mirror)")
    }

    func didFail(_ operation: RequestOperation, _ failure: JobFailure?, bytes: Int64) {
        if failure == nil { write("- \(name(operation)): cancelled") }
    }

    private func name(_ operation: RequestOperation) -> String { name(operation.request) }

    /// The request's name. The library's own HEAD requests have no tag.
    private func name(_ request: NetworkRequest) -> String { request.tag ?? URLText.shown(request.url) }

    private func write(_ line: String) { display.log(line.withoutControls().fitting(.current)) }
}
