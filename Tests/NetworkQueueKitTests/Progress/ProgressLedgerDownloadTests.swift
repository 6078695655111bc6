import Testing

@testable import NetworkQueueKit

@Suite("The ledger's downloads")
struct ProgressLedgerDownloadTests {
    private var ledger = ProgressLedger.transferring()

    private var download: NetworkQueue.Progress.Bytes { ledger.download.snapshot }

    @Test("Without any known size, expected is nil and nothing is estimated")
    mutating func nothingKnown() {
        _ = ledger.openGet()
        _ = ledger.runGet(received: 10)
        #expect(download == .init(transferred: 10, expected: nil, isEstimated: false))
    }

    @Test("A run without requests expects nothing it could tell")
    func empty() {
        #expect(download == .init())
        #expect(ledger.upload.snapshot == .init())
    }

    @Test("A size that the caller knows counts from the start")
    mutating func callerSize() {
        _ = ledger.openGet(500)
        #expect(download.expected == 500)
    }

    @Test("A size from a HEAD counts before the request starts")
    mutating func headSize() {
        var get = ledger.openGet()
        ledger.setSize(700, &get)
        #expect(download == .init(transferred: 0, expected: 700))
    }

    @Test("A size that a HEAD could not tell changes nothing", arguments: [nil, -1, Int64.min, .max, 1 << 62])
    mutating func headTellsNothing(size: Int64?) {
        var get = ledger.openGet(700)
        ledger.setSize(size, &get)
        #expect(download.expected == 700)
    }

    @Test("Unknown GETs are estimated by the mean of the known ones")
    mutating func mean() {
        _ = ledger.openGet(100)
        _ = ledger.openGet(300)
        for _ in 0..<3 { _ = ledger.openGet() }
        #expect(download == .init(transferred: 0, expected: 1000, isEstimated: true))
    }

    @Test("The estimate ends with the last unknown size")
    mutating func estimateEnds() {
        _ = ledger.openGet(100)
        var get = ledger.runGet(received: 20)
        #expect(download.isEstimated)
        ledger.receiveHead(contentLength: 50, &get)
        #expect(download == .init(transferred: 0, expected: 150, isEstimated: false))
    }

    @Test("A long transfer of unknown size does not use up the estimate for those that wait")
    mutating func longUnknown() {
        _ = ledger.openGet(100)
        _ = ledger.openGet()
        _ = ledger.runGet(received: 5000)
        #expect(download == .init(transferred: 5000, expected: 5200, isEstimated: true))
    }

    @Test("A head that contradicts the HEAD replaces its size, up or down", arguments: [10, 9000])
    mutating func headLied(length: Int64) {
        var get = ledger.openGet()
        ledger.setSize(700, &get)
        ledger.start(&get)
        ledger.receiveHead(contentLength: length, &get)
        #expect(download.expected == length)
    }

    @Test("A head without a length leaves the size that was known")
    mutating func headWithoutLength() {
        _ = ledger.runGet(700, length: nil)
        #expect(download.expected == 700)
    }

    @Test("A response without a body puts its size to 0")
    mutating func notModified() {
        _ = ledger.runGet(700, length: 0)
        #expect(download == .init(transferred: 0, expected: 0))
    }

    @Test("Bytes beyond the stated length raise expected with them")
    mutating func overrun() {
        _ = ledger.runGet(length: 100, received: 250)
        #expect(download == .init(transferred: 250, expected: 250))
    }

    @Test("An absurd length counts as unknown", arguments: [-1, Int64.min, .max, 1 << 62, (1 << 50) + 1])
    mutating func absurdLength(length: Int64) {
        _ = ledger.runGet(length: length, received: 5)
        #expect(download == .init(transferred: 5, expected: nil))
    }

    @Test("Many servers that all claim the largest believable length do not overflow")
    mutating func manyLiars() {
        for _ in 0..<20_000 { _ = ledger.runGet(length: ClaimedSize.limit, received: 1) }
        _ = ledger.openGet()
        #expect(download.transferred == 20_000)
        #expect(download.expected == .max)
    }

    @Test("A byte count at the end of its type saturates")
    mutating func saturated() {
        var get = ledger.runGet(received: .max)
        ledger.receive(.max, &get)
        ledger.receive(-1, &get)
        _ = ledger.runGet(received: .max)
        #expect(download.transferred == .max)
        ledger.end(.failed, &get)
        #expect(download.transferred == .max)
    }

    @Test("A finished request expects exactly what it transferred", arguments: [0, 40, 100, 300])
    mutating func finishedIsExact(received: Int64) {
        var get = ledger.runGet(100, received: received)
        ledger.end(.finished, &get)
        #expect(download == .init(transferred: received, expected: received))
    }

    @Test(
        "A request that fails or is cancelled leaves both totals",
        arguments: [RequestResult.Outcome.failed, .cancelled])
    mutating func lost(outcome: RequestResult.Outcome) {
        _ = ledger.runGet(100, received: 30)
        var get = ledger.runGet(1000, received: 900)
        ledger.end(outcome, &get)
        #expect(download == .init(transferred: 30, expected: 100))
    }

    @Test("A method without a response body expects 0 and is no sample for the mean")
    mutating func bodiless() {
        _ = ledger.open(uploadLength: 0, expectedDownload: 0, hasBody: false)
        #expect(download == .init(transferred: 0, expected: 0))
        _ = ledger.openGet(100)
        _ = ledger.openGet()
        #expect(download.expected == 200)
    }
}
