import Testing

@testable import NetworkQueueKit

@Suite("The ledger's downloads")
struct ProgressLedgerDownloadTests {
    private var ledger = ProgressLedger.transferring()

    private var download: NetworkQueue.Progress.Bytes { ledger.download.snapshot }

    @Test
    mutating func `without any known size, expected is nil and nothing is estimated`() {
        _ = ledger.openGet()
        _ = ledger.runGet(received: 10)
        #expect(download == .init(transferred: 10, expected: nil, isEstimated: false))
    }

    @Test
    func `a run without requests expects nothing it could tell`() {
        #expect(download == .init())
        #expect(ledger.upload.snapshot == .init())
    }

    @Test
    mutating func `a size that the caller knows counts from the start`() {
        _ = ledger.openGet(500)
        #expect(download.expected == 500)
    }

    @Test
    mutating func `a size from a HEAD counts before the request starts`() {
        var get = ledger.openGet()
        ledger.setSize(700, &get)
        #expect(download == .init(transferred: 0, expected: 700))
    }

    @Test(arguments: [nil, -1, Int64.min, .max, 1 << 62])
    mutating func `a size that a HEAD could not tell changes nothing`(size: Int64?) {
        var get = ledger.openGet(700)
        ledger.setSize(size, &get)
        #expect(download.expected == 700)
    }

    @Test
    mutating func `unknown GETs are estimated by the mean of the known ones`() {
        _ = ledger.openGet(100)
        _ = ledger.openGet(300)
        for _ in 0..<3 { _ = ledger.openGet() }
        #expect(download == .init(transferred: 0, expected: 1000, isEstimated: true))
    }

    @Test
    mutating func `what a HEAD has not found is not estimated, until one of these is there all the same`() {
        _ = ledger.openGet(100)
        var missing = (0..<3).map { _ in ledger.openGet() }
        for index in missing.indices { ledger.setMissing(&missing[index]) }
        #expect(download == .init(transferred: 0, expected: 100, isEstimated: false))
        ledger.start(&missing[0])
        ledger.end(.failed, &missing[0])
        #expect(download == .init(transferred: 0, expected: 100, isEstimated: false))
        ledger.start(&missing[1])
        ledger.receiveHead(contentLength: 300, &missing[1])
        #expect(download == .init(transferred: 0, expected: 600, isEstimated: true), "200 for the third")
    }

    @Test
    mutating func `a size from a HEAD that comes after the start changes nothing`() {
        var get = ledger.runGet(received: 20)
        ledger.setSize(700, &get)
        ledger.setMissing(&get)
        #expect(download.expected == nil && download.transferred == 20)
    }

    @Test
    mutating func `the estimate ends with the last unknown size`() {
        _ = ledger.openGet(100)
        var get = ledger.runGet(received: 20)
        #expect(download.isEstimated)
        ledger.receiveHead(contentLength: 50, &get)
        #expect(download == .init(transferred: 0, expected: 150, isEstimated: false))
    }

    @Test
    mutating func `a long transfer of unknown size does not use up the estimate for those that wait`() {
        _ = ledger.openGet(100)
        _ = ledger.openGet()
        _ = ledger.runGet(received: 5000)
        #expect(download == .init(transferred: 5000, expected: 5200, isEstimated: true))
    }

    @Test(arguments: [10, 9000])
    mutating func `a head that contradicts the HEAD replaces its size, up or down`(length: Int64) {
        var get = ledger.openGet()
        ledger.setSize(700, &get)
        ledger.start(&get)
        ledger.receiveHead(contentLength: length, &get)
        #expect(download.expected == length)
    }

    @Test
    mutating func `a head without a length leaves the size that was known`() {
        _ = ledger.runGet(700, length: nil)
        #expect(download.expected == 700)
    }

    @Test
    mutating func `a response without a body puts its size to 0`() {
        _ = ledger.runGet(700, length: 0)
        #expect(download == .init(transferred: 0, expected: 0))
    }

    @Test
    mutating func `bytes beyond the stated length raise expected with them`() {
        _ = ledger.runGet(length: 100, received: 250)
        #expect(download == .init(transferred: 250, expected: 250))
    }

    @Test(arguments: [-1, Int64.min, .max, 1 << 62, (1 << 50) + 1])
    mutating func `an absurd length counts as unknown`(length: Int64) {
        _ = ledger.runGet(length: length, received: 5)
        #expect(download == .init(transferred: 5, expected: nil))
    }

    @Test
    mutating func `many servers that all claim the largest believable length do not overflow`() {
        for _ in 0..<20_000 { _ = ledger.runGet(length: ClaimedSize.limit, received: 1) }
        _ = ledger.openGet()
        #expect(download.transferred == 20_000)
        #expect(download.expected == .max)
    }

    @Test
    mutating func `a byte count at the end of its type saturates`() {
        var get = ledger.runGet(received: .max)
        ledger.receive(.max, &get)
        ledger.receive(-1, &get)
        _ = ledger.runGet(received: .max)
        #expect(download.transferred == .max)
        ledger.end(.failed, &get)
        #expect(download.transferred == .max)
    }

    @Test(arguments: [0, 40, 100, 300])
    mutating func `a finished request expects exactly what it transferred`(received: Int64) {
        var get = ledger.runGet(100, received: received)
        ledger.end(.finished, &get)
        #expect(download == .init(transferred: received, expected: received))
    }

    @Test(arguments: [RequestResult.Outcome.failed, .cancelled])
    mutating func `a request that fails or is cancelled leaves both totals`(outcome: RequestResult.Outcome) {
        _ = ledger.runGet(100, received: 30)
        var get = ledger.runGet(1000, received: 900)
        ledger.end(outcome, &get)
        #expect(download == .init(transferred: 30, expected: 100))
    }

    @Test
    mutating func `a method without a response body expects 0 and is no sample for the mean`() {
        _ = ledger.open(uploadLength: 0, expectedDownload: 0, hasBody: false)
        #expect(download == .init(transferred: 0, expected: 0))
        _ = ledger.openGet(100)
        _ = ledger.openGet()
        #expect(download.expected == 200)
    }
}
