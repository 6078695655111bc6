import Dashboard
import NetworkQueueKit

/// One line an event on the standard error; requests as curl commands, without what is secret in them.
struct VerboseLog: JobListener {
    let display: any ProgressDisplay

    func didStart(_ operation: RequestOperation) { write("> \(operation.curlCommand())") }

    func didReceiveHead(_ head: ResponseHead, of operation: RequestOperation) {
        let length = head.expectedContentLength.map { ", \(ByteCount.text($0))" } ?? ""
        write("< \(name(operation)): \(head.statusCode) \(head.headers["Content-Type"] ?? "")\(length)")
    }

    func willRetry(
        _ operation: RequestOperation, after delay: Duration, because failure: JobFailure, attempts: Int
    ) {
        guard !display.tellsOfRetries else { return }
        write("\(name(operation)): \(failure.reason); again in \(TimeText.elapsed(delay))")
    }

    func didFinish(_ operation: RequestOperation, wasCurrent: Bool) {
        guard !wasCurrent, let metrics = operation.metrics else { return write("= \(name(operation)): there already") }
        let bytes = ByteCount.text(max(metrics.bytesReceived, metrics.bytesSent))
        write("= \(name(operation)): \(bytes) in \(TimeText.elapsed(metrics.duration))")
    }

    func didFail(_ operation: RequestOperation, _ failure: JobFailure?) {
        if failure == nil { write("- \(name(operation)): cancelled") }
    }

    private func name(_ operation: RequestOperation) -> String { operation.request.tag ?? "" }

    private func write(_ line: String) { display.log(line.withoutControls().fitting(.current)) }
}
