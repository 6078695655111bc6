import Foundation

/// A monitor that writes a line for each event: `queue.monitors = [EventLogger()]`.
///
///     #7 GET https://example.com/a: attempt 1
///     #7 GET https://example.com/a: 503
///     #7 GET https://example.com/a: failed after 0.081 s: The server answered with status 503.
///     #7 GET https://example.com/a: attempt 2 in 2 s
///     #7 GET https://example.com/a: 200
///     #7 GET https://example.com/a: ended after 2.204 s, 1052 bytes received, HTTP/2, connection reused
///
/// A line has no control characters, and neither names and passwords of URLs nor header fields; a query is part of its
/// URL.
public struct EventLogger: QueueMonitor {
    private let sink: @Sendable (String) -> Void

    /// Creates a logger.
    ///
    /// - Parameter sink: gets each line, without its end; called on several threads at a time, and must not block.
    ///   Default: `print`.
    public init(sink: @escaping @Sendable (String) -> Void = { print($0) }) {
        self.sink = sink
    }

    /// Writes that an attempt begins.
    public func attemptDidStart(in context: AttemptContext) {
        let place = context.mirror.map { " at \($0.printable)" } ?? ""
        write("attempt \(context.attempt)\(place)", context)
    }

    /// Writes the status of a response.
    public func attempt(didReceive head: ResponseHead, in context: AttemptContext) {
        write("\(head.statusCode)", context)
    }

    /// Writes where a redirect leads.
    public func attempt(willRedirectTo url: URL, after head: ResponseHead, in context: AttemptContext) {
        write("redirected to \(url.printable)", context)
    }

    /// Writes who asks for credentials.
    public func attempt(didReceive challenge: AuthenticationChallenge, in context: AttemptContext) {
        let asker = challenge.isProxy ? "the proxy" : challenge.url.host() ?? "the server"
        write("\(asker) asks for credentials (\(challenge.scheme))", context)
    }

    /// Writes how the attempt has ended.
    public func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
        let time = text(metrics.duration)
        if let error { return write("failed after \(time): \(error.localizedDescription)", context) }
        var parts = ["ended after \(time)", "\(metrics.bytesReceived) bytes received"]
        if metrics.bytesSent > 0 { parts.append("\(metrics.bytesSent) bytes sent") }
        if let version = metrics.exchange?.httpVersion { parts.append(version) }
        if metrics.exchange?.isConnectionReused == true { parts.append("connection reused") }
        write(parts.joined(separator: ", "), context)
    }

    /// Writes when another attempt follows.
    public func attemptWillRetry(after delay: Duration, because error: NetworkError, in context: AttemptContext) {
        write("attempt \(context.attempt + 1) in \(text(delay))", context)
    }

    /// Writes for how long requests to a host are blocked.
    public func didHold(host: String, for delay: Duration, in context: AttemptContext) {
        write("\(host) wants no requests for \(text(delay))", context)
    }

    private func write(_ event: String, _ context: AttemptContext) {
        let line = "\(context.operationID) \(context.request): \(event)"
        sink(String(String.UnicodeScalarView(line.unicodeScalars.map { $0.isControl ? " " : $0 })))
    }

    private func text(_ duration: Duration) -> String {
        "\((duration.seconds * 1000).rounded() / 1000) s"
    }
}

extension Unicode.Scalar {
    /// Whether it could move a terminal's cursor, or begin another line.
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

/// Sees what happens to the requests of a queue, for logs, measurements and indicators; see
/// ``RequestQueueing/monitors``.
///
///     attemptDidStart → (didReceive head → (willRedirect | challenge)?)* → hold? → attemptDidEnd → (attemptWillRetry → attemptDidStart …)?
///
/// It changes nothing: for that there are adapters, deciders and processors. Every method has an empty default. The
/// calls for one operation are serial, those for several come at a time; they are made on the library's threads as it
/// happens, so they must not block. An operation that is cancelled before it starts is not told of.
///
/// `context.request` is the request as it was given, with its `tag`, its `userInfo` and the queue's
/// ``RequestQueueing/headers``; a size that a ``NetworkQueue`` asks for is a HEAD of an operation of its own. The
/// default queue of monitors is empty, and then all this costs nothing.
public protocol QueueMonitor: Sendable {
    /// An attempt begins: its request is adapted, authorized and sent.
    func attemptDidStart(in context: AttemptContext)
    /// A response has come, also one that leads elsewhere, asks for credentials or is rejected; interim ones (1xx) are
    /// not told of.
    func attempt(didReceive head: ResponseHead, in context: AttemptContext)
    /// A redirect is followed.
    func attempt(willRedirectTo url: URL, after head: ResponseHead, in context: AttemptContext)
    /// A server or a proxy asks for credentials. `previousFailureCount` is how often it has asked before in this
    /// attempt.
    func attempt(didReceive challenge: AuthenticationChallenge, in context: AttemptContext)
    /// The attempt has ended: with `context.statusCode`, if a response has come, and with an error, if it was not a
    /// success.
    ///
    /// - Parameter metrics: what the request has taken so far; `metrics.exchange` tells about the connection.
    func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext)
    /// Another attempt follows the one that has ended.
    func attemptWillRetry(after delay: Duration, because error: NetworkError, in context: AttemptContext)
    /// A server has asked for time (429 or 503 with `Retry-After`): the waiting requests to its host are held back.
    /// Called for the host that was asked first, too, where a redirect has led from that to another.
    func didHold(host: String, for delay: Duration, in context: AttemptContext)
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
    public func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {}
    /// Does nothing.
    public func attemptWillRetry(after delay: Duration, because error: NetworkError, in context: AttemptContext) {}
    /// Does nothing.
    public func didHold(host: String, for delay: Duration, in context: AttemptContext) {}
}
