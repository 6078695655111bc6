@testable import NetworkQueueKit

/// The shapes of requests that the tests use again and again.
extension ProgressLedger {
    /// A ledger whose run has begun to transfer at time 0.
    static func transferring(isAccurate: Bool = true) -> ProgressLedger {
        var ledger = ProgressLedger(isAccurate: isAccurate)
        ledger.enter(.transferring, now: .zero)
        return ledger
    }

    mutating func openGet(_ size: Int64? = nil) -> Account {
        open(uploadLength: nil, expectedDownload: size, hasBody: false)
    }

    mutating func openUpload(_ length: Int64?) -> Account {
        open(uploadLength: length, expectedDownload: nil, hasBody: true)
    }

    /// A GET that is under way, with the head's length and the bytes that have arrived.
    mutating func runGet(_ size: Int64? = nil, length: Int64? = nil, received: Int64 = 0) -> Account {
        var account = openGet(size)
        start(&account)
        receiveHead(contentLength: length, &account)
        receive(received, &account)
        return account
    }

    mutating func fractionShown() -> Double {
        snapshot(now: .zero).fractionCompleted
    }
}
