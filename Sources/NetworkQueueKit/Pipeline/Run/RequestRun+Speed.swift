import Foundation

/// Ends attempts that are slower than the minimum speed.
extension RequestRun {
    /// Whether the attempt has ended because it was too slow.
    var wasTooSlow: Bool { speedWatch?.slowSpeed != nil }

    func watchSpeed() {
        speedWatch?.start { [weak self] in
            if let self, case .cancel(let exchange) = handle(.cut) { exchange.cancel() }
        }
    }

    /// The bandwidth limit for the next exchange.
    var pacer: (any ExchangePacer)? {
        guard let speedWatch, let pacer = environment.pacer else { return environment.pacer }
        return WatchedPacer(pacer, speedWatch)
    }

    /// Counts content that is sent. Afterwards the server may take its time for the answer.
    func watchSent(_ totalBytes: Int64) {
        guard let speedWatch, let length = attempt.exchange?.body?.length else { return }
        if totalBytes < length { speedWatch.note(totalBytes - attempt.bytesSent) } else { speedWatch.stop() }
    }

    /// Counts content that was received.
    func watchReceived(_ byteCount: Int, _ disposition: ExchangeDisposition) {
        guard let speedWatch else { return }
        speedWatch.note(Int64(byteCount))
        guard case .pause = disposition, let sink = attempt.target.userSink else { return }
        speedWatch.set(.reader, true)
        // The sink may have resumed the exchange meanwhile.
        if !sink.isHolding { speedWatch.set(.reader, false) }
    }

    /// Counts the content of all exchanges with a file that is split.
    func watchSplit() {
        guard let speedWatch, let split = attempt.target.split else { return }
        speedWatch.follow { [weak split] in split?.bytesReceived ?? 0 }
    }

    /// The error with which an exchange ended: it was cut if it was too slow.
    func judged(_ error: URLError?) -> URLError? {
        error != nil && wasTooSlow ? URLError(.timedOut) : error
    }

    /// Whether nothing is lost if another URL goes on after an attempt that was too slow.
    var mayLeaveSlowURL: Bool {
        request.expectedChecksum != nil && attempt.target.leavesPart || attempt.bytesReceived < RetryCount.largeSize
    }

    /// The URL for the next attempt after one that was too slow; `nil` if the attempt was fast enough, or if its URL
    /// must go on.
    func nextAfterSlowness() -> MirrorTurn.Address? {
        guard let speed = speedWatch?.slowSpeed, request.mayUseMirrors, mayLeaveSlowURL else { return nil }
        mirrors.noteSlowness(speed)
        return mirrors.next(of: request)
    }
}
