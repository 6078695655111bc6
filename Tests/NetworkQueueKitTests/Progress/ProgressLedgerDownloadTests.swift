import Testing

@testable import NetworkQueueKit

struct ProgressLedgerDownloadTests {
    private var ledger = ProgressLedger.transferring()

    private var download: NetworkQueue.Progress.Bytes { ledger.download.snapshot }

    @Test
    mutating func `The expected size is nil and not an estimate if no size is known`() {
        _ = ledger.openGet()
        _ = ledger.runGet(received: 10)
        #expect(download == .init(transferred: 10, expected: nil, isEstimated: false))
    }

    @Test
    func `A run without requests has no expected sizes`() {
        #expect(download == .init())
        #expect(ledger.upload.snapshot == .init())
    }

    @Test
    mutating func `A size that the caller knows counts from the start`() {
        _ = ledger.openGet(500)
        #expect(download.expected == 500)
    }

    @Test
    mutating func `A size from a HEAD counts before the request starts`() {
        var get = ledger.openGet()
        ledger.setSize(700, &get)
        #expect(download == .init(transferred: 0, expected: 700))
    }

    @Test(arguments: [nil, -1, Int64.min, .max, 1 << 62])
    mutating func `A size that a HEAD could not tell changes nothing`(size: Int64?) {
        var get = ledger.openGet(700)
        ledger.setSize(size, &get)
        #expect(download.expected == 700)
    }

    @Test
    mutating func `GETs of unknown size are estimated by the mean of the known ones`() {
        _ = ledger.openGet(100)
        _ = ledger.openGet(300)
        for _ in 0..<3 { _ = ledger.openGet() }
        #expect(download == .init(transferred: 0, expected: 1000, isEstimated: true))
    }

    @Test
    mutating func `Missing files are not estimated until one of them is there all the same`() {
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
    mutating func `A size from a HEAD that comes after the start changes nothing`() {
        var get = ledger.runGet(received: 20)
        ledger.setSize(700, &get)
        ledger.setMissing(&get)
        #expect(download.expected == nil && download.transferred == 20)
    }

    @Test
    mutating func `The estimate ends with the last unknown size`() {
        _ = ledger.openGet(100)
        var get = ledger.runGet(received: 20)
        #expect(download.isEstimated)
        ledger.receiveHead(contentLength: 50, &get)
        #expect(download == .init(transferred: 0, expected: 150, isEstimated: false))
    }

    @Test
    mutating func `A long transfer of unknown size does not use up the estimate for those that wait`() {
        _ = ledger.openGet(100)
        _ = ledger.openGet()
        _ = ledger.runGet(received: 5000)
        #expect(download == .init(transferred: 5000, expected: 5200, isEstimated: true))
    }

    @Test(arguments: [10, 9000])
    mutating func `A head that contradicts the HEAD replaces its size, up or down`(length: Int64) {
        var get = ledger.openGet()
        ledger.setSize(700, &get)
        ledger.start(&get)
        ledger.receiveHead(contentLength: length, &get)
        #expect(download.expected == length)
    }

    @Test
    mutating func `A head without a length leaves the size that was known`() {
        _ = ledger.runGet(700, length: nil)
        #expect(download.expected == 700)
    }

    @Test
    mutating func `A response without a body sets its size to 0`() {
        _ = ledger.runGet(700, length: 0)
        #expect(download == .init(transferred: 0, expected: 0))
    }

    @Test
    mutating func `Bytes beyond the stated length raise the expected size with them`() {
        _ = ledger.runGet(length: 100, received: 250)
        #expect(download == .init(transferred: 250, expected: 250))
    }

    @Test(arguments: [-1, Int64.min, .max, 1 << 62, (1 << 50) + 1])
    mutating func `An absurd length counts as unknown`(length: Int64) {
        _ = ledger.runGet(length: length, received: 5)
        #expect(download == .init(transferred: 5, expected: nil))
    }

    @Test
    mutating func `Many servers that all claim the largest believable length do not overflow the total`() {
        for _ in 0..<20_000 { _ = ledger.runGet(length: ClaimedSize.limit, received: 1) }
        _ = ledger.openGet()
        #expect(download.transferred == 20_000)
        #expect(download.expected == .max)
    }

    @Test
    mutating func `A byte count at the end of its type saturates`() {
        var get = ledger.runGet(received: .max)
        ledger.receive(.max, &get)
        ledger.receive(-1, &get)
        _ = ledger.runGet(received: .max)
        #expect(download.transferred == .max)
        ledger.end(.failed, &get)
        #expect(download.transferred == .max)
    }

    @Test(arguments: [0, 40, 100, 300])
    mutating func `A finished request expects exactly the bytes that it received`(received: Int64) {
        var get = ledger.runGet(100, received: received)
        ledger.end(.finished, &get)
        #expect(download == .init(transferred: received, expected: received))
    }

    @Test(arguments: [RequestResult.Outcome.failed, .cancelled])
    mutating func `A request that fails or is canceled leaves both totals`(outcome: RequestResult.Outcome) {
        _ = ledger.runGet(100, received: 30)
        var get = ledger.runGet(1000, received: 900)
        ledger.end(outcome, &get)
        #expect(download == .init(transferred: 30, expected: 100))
    }

    @Test
    mutating func `A method without a response body expects 0 and is no sample for the mean`() {
        _ = ledger.open(uploadLength: 0, expectedDownload: 0, hasBody: false)
        #expect(download == .init(transferred: 0, expected: 0))
        _ = ledger.openGet(100)
        _ = ledger.openGet()
        #expect(download.expected == 200)
    }
}
