import Foundation

/// A monitor that writes one line per event: `queue.monitors = [EventLogger()]`.
///
/// ```text
/// #7 GET https://example.com/a: attempt 1
/// #7 GET https://example.com/a: 503
/// #7 GET https://example.com/a: failed after 0.081 s: example.com responded with status 503.
/// #7 GET https://example.com/a: attempt 2 in 2.0 s
/// #7 GET https://example.com/a: attempt 2
/// #7 GET https://example.com/a: 200
/// #7 GET https://example.com/a: ended after 2.204 s, 1052 bytes received, HTTP/2, connection reused
/// ```
///
/// Lines contain no control characters, no user names or passwords from URLs, and no header fields. The query of a URL
/// is included.
public struct EventLogger: QueueMonitor {
    private let sink: @Sendable (String) -> Void

    /// Creates a logger.
    ///
    /// - Parameter sink: receives each line without a line break. It is called on several threads concurrently and must
    ///   not block. Default: `print`.
    public init(sink: @escaping @Sendable (String) -> Void = { print($0) }) {
        self.sink = sink
    }

    /// Logs the attempt number and, if a mirror is used, its URL.
    public func attemptDidStart(in context: AttemptContext) {
        let place = context.mirror.map { " at \($0.printable)" } ?? ""
        write("attempt \(context.attempt)\(place)", context)
    }

    /// Logs the status code of a response.
    public func attempt(didReceive head: ResponseHead, in context: AttemptContext) {
        write("\(head.statusCode)", context)
    }

    /// Logs the target of a redirect.
    public func attempt(willRedirectTo url: URL, after head: ResponseHead, in context: AttemptContext) {
        write("redirected to \(url.printable)", context)
    }

    /// Logs which host or proxy asks for credentials.
    public func attempt(didReceive challenge: AuthenticationChallenge, in context: AttemptContext) {
        let asker = challenge.isProxy ? "the proxy" : challenge.url.host() ?? "the server"
        write("\(asker) asks for credentials (\(challenge.scheme))", context)
    }

    /// Logs the status that does not tell whether an upload is needed, and who decides.
    public func attempt(willUploadUncompared head: ResponseHead, in context: AttemptContext) {
        let consequence =
            context.request.uploadCondition == .ifMissing ? "the server decides" : "the content is sent"
        write("HEAD does not tell whether the upload is needed (\(head.statusCode)); \(consequence)", context)
    }

    /// Logs how the attempt ended.
    public func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
        let time = text(metrics.duration)
        if let error { return write("failed after \(time): \(error.localizedDescription)", context) }
        var parts = ["ended after \(time)", "\(metrics.bytesReceived) bytes received"]
        if metrics.bytesSent > 0 { parts.append("\(metrics.bytesSent) bytes sent") }
        if let version = metrics.exchange?.httpVersion { parts.append(version) }
        if metrics.exchange?.isConnectionReused == true { parts.append("connection reused") }
        write(parts.joined(separator: ", "), context)
    }

    /// Logs the delay before the next attempt.
    public func attemptWillRetry(after delay: Duration, because error: NetworkError, in context: AttemptContext) {
        // After a mismatch nothing that has come is used.
        let scope = error.code == .contentMismatch ? ", for all of the content" : ""
        write("attempt \(context.attempt + 1) in \(text(delay))\(scope)", context)
    }

    /// Logs how long requests to a host are held back.
    public func didHold(host: String, for delay: Duration, in context: AttemptContext) {
        write("\(host) asks for no requests for \(text(delay))", context)
    }

    /// Logs the failure.
    public func didFailToFlush(_ error: NetworkError) { write("not flushed to the disk: \(error)") }

    private func write(_ event: String, _ context: AttemptContext) {
        write("\(context.operationID) \(context.request): \(event)")
    }

    private func write(_ line: String) {
        sink(String(String.UnicodeScalarView(line.unicodeScalars.map { $0.isControl ? " " : $0 })))
    }

    private func text(_ duration: Duration) -> String {
        "\((duration.seconds * 1000).rounded() / 1000) s"
    }
}

extension Unicode.Scalar {
    /// Whether the scalar could move a terminal's cursor or start a new line.
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

/// Observes the requests of a queue, for logs, measurements and indicators; see ``RequestQueueing/monitors``.
///
/// ```text
/// attemptDidStart → (didReceive head → (willRedirect | challenge)?)* → hold? → attemptDidEnd → (attemptWillRetry → attemptDidStart …)?
/// ```
///
/// A monitor cannot change anything; use adapters, deciders and processors for that. Every method has an empty default.
/// Calls for one operation are serial; calls for different operations are concurrent. They are made synchronously on
/// the library's threads and must not block. An operation canceled before it starts is not reported.
///
/// A pause ends the attempt with `.cancelled`; after the pause the attempt begins again with the same number. A pause
/// that holds the exchange is not reported; see ``RequestOperation/pause()``.
///
/// `context.request` is the request as it was added, with its `tag`, its `userInfo` and the queue's
/// ``RequestQueueing/headers``. A ``NetworkQueue``'s sizing request is reported as a HEAD with an operation ID of its
/// own. A queue without monitors, which is the default, does none of this work.
public protocol QueueMonitor: Sendable {
    /// Reports that an attempt begins. Its request is adapted, authorized and sent next, unless it fails first or an
    /// existing file is kept.
    func attemptDidStart(in context: AttemptContext)
    /// Reports a response head, including those of redirects, challenges and rejected responses, but not of interim
    /// responses (1xx).
    func attempt(didReceive head: ResponseHead, in context: AttemptContext)
    /// Reports that a redirect is followed.
    func attempt(willRedirectTo url: URL, after head: ResponseHead, in context: AttemptContext)
    /// Reports that a server or a proxy asks for credentials.
    ///
    /// `challenge.previousFailureCount` is the number of earlier challenges in this attempt.
    func attempt(didReceive challenge: AuthenticationChallenge, in context: AttemptContext)
    /// Reports that the response to the HEAD of a conditional upload does not tell whether the content is needed, so that
    /// it is sent. With `.ifMissing` it is sent with `If-None-Match: *`, and the server decides; see
    /// ``NetworkRequest/uploadCondition-swift.property``.
    func attempt(willUploadUncompared head: ResponseHead, in context: AttemptContext)
    /// Reports the end of an attempt.
    ///
    /// - Parameters:
    ///   - error: why the attempt failed; `nil` for a success.
    ///   - metrics: the measurements. The durations and `attempts` cover the request so far, all other values this
    ///     attempt; `metrics.exchange` describes the connection.
    ///   - context: `context.statusCode` is the status, if a response arrived.
    func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext)
    /// Reports that another attempt will follow the one that has ended.
    func attemptWillRetry(after delay: Duration, because error: NetworkError, in context: AttemptContext)
    /// Reports that waiting requests to a host are held back, because its server asked for a pause; see
    /// ``RetryPolicy/honorsRetryAfter``.
    ///
    /// After a redirect to another host, this is also called for the host of the URL that was tried: the request's own
    /// or a mirror's.
    func didHold(host: String, for delay: Duration, in context: AttemptContext)
    /// Reports that a disk did not take all files that a ``RequestQueue`` flushed together: files that were stored in
    /// the last seconds may be lost in a power cut. A ``NetworkQueue`` reports this in its summary
    /// (``NetworkQueue/Summary/flushFailures``).
    ///
    /// - Parameter error: a `.fileSystem`, which names a folder on the disk.
    func didFailToFlush(_ error: NetworkError)
}

extension QueueMonitor {
    /// Does nothing.
    public func attemptDidStart(in context: AttemptContext) {}
    /// Does nothing.
    public func attempt(didReceive head: ResponseHead, in context: AttemptContext) {}
    /// Does nothing.
    public func attempt(willRedirectTo url: URL, after head: ResponseHead, in context: AttemptContext) {}
    /// Does nothing.
    public func attempt(didReceive challenge: AuthenticationChallenge, in context: AttemptContext) {}
    /// Does nothing.
    public func attempt(willUploadUncompared head: ResponseHead, in context: AttemptContext) {}
    /// Does nothing.
    public func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {}
    /// Does nothing.
    public func attemptWillRetry(after delay: Duration, because error: NetworkError, in context: AttemptContext) {}
    /// Does nothing.
    public func didHold(host: String, for delay: Duration, in context: AttemptContext) {}
    /// Does nothing.
    public func didFailToFlush(_ error: NetworkError) {}
}
