/// One line for a log.
extension NetworkQueue.Summary: CustomStringConvertible {
    /// What came of the run, on one line, such as `399 finished, 1 failed, 0 cancelled in 12.3 s, 1000 bytes received, 0 bytes sent; first
    /// failure: #12 GET https://example.com/a, failed (timedOut), attempt 1`.
    public var description: String {
        let seconds = (duration.seconds * 10).rounded() / 10
        var line =
            "\(counts.finished) finished, \(counts.failed) failed, \(counts.cancelled) cancelled in \(seconds) s, "
            + "\(bytesReceived) bytes received, \(bytesSent) bytes sent"
        if let failure = firstFailure { line += "; first failure: \(failure.operation)" }
        return line
    }
}
