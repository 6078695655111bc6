import Testing

@testable import NetworkQueueKit

struct ProgressLedgerUploadTests {
    private var ledger = ProgressLedger.transferring()

    private var upload: NetworkQueue.Progress.Bytes { ledger.upload.snapshot }

    @Test
    mutating func `A waiting upload of known length counts from the start`() {
        _ = ledger.openUpload(800)
        #expect(upload == .init(transferred: 0, expected: 800))
    }

    @Test
    mutating func `Downloads have nothing to upload, which is known`() {
        _ = ledger.openGet()
        #expect(upload == .init(transferred: 0, expected: 0))
    }

    @Test
    mutating func `A count of sent bytes replaces the one before`() {
        var put = ledger.openUpload(800)
        ledger.start(&put)
        ledger.send(300, &put)
        ledger.send(500, &put)
        #expect(upload == .init(transferred: 500, expected: 800))
    }

    @Test
    mutating func `A body that the transport sends again goes back, and is speed only as it goes on`() {
        var put = ledger.openUpload(800)
        ledger.start(&put)
        ledger.send(500, &put)
        ledger.send(100, &put)
        #expect(upload.transferred == 100)
        #expect(ledger.moved == 500)
        ledger.send(300, &put)
        #expect(ledger.moved == 700)
        ledger.send(-1, &put)
        #expect(upload.transferred == 0)
    }

    @Test
    mutating func `A body that is measured late, or again, counts with its new length`() {
        var grown = ledger.openUpload(800)
        var late = ledger.open(uploadLength: nil, expectedDownload: nil, hasBody: true)
        ledger.start(&grown)
        ledger.start(&late)
        ledger.setUploadSize(900, &grown)
        ledger.setUploadSize(100, &late)
        #expect(upload == .init(transferred: 0, expected: 1000))
        ledger.setUploadSize(100, &late)
        #expect(upload == .init(transferred: 0, expected: 1000))
        var get = ledger.openGet()
        ledger.start(&get)
        ledger.setUploadSize(5, &get)
        #expect(upload == .init(transferred: 0, expected: 1000))
    }

    @Test
    mutating func `Bytes sent beyond the length raise the expected size with them`() {
        var put = ledger.openUpload(800)
        ledger.start(&put)
        ledger.send(900, &put)
        #expect(upload == .init(transferred: 900, expected: 900))
    }

    @Test
    mutating func `The response to an upload is neither expected nor estimated until its head tells a length`() {
        _ = ledger.openGet(1000)
        var put = ledger.openUpload(800)
        ledger.start(&put)
        #expect(ledger.download.snapshot == .init(transferred: 0, expected: 1000))
        ledger.receiveHead(contentLength: nil, &put)
        ledger.receive(9, &put)
        #expect(ledger.download.snapshot == .init(transferred: 9, expected: 1009))
        ledger.receiveHead(contentLength: 50, &put)
        #expect(ledger.download.snapshot == .init(transferred: 0, expected: 1050))
    }

    @Test
    mutating func `The response to an upload is no sample for the size of a GET`() {
        var put = ledger.openUpload(800)
        ledger.start(&put)
        ledger.receiveHead(contentLength: 2, &put)
        ledger.receive(2, &put)
        ledger.end(.finished, &put)
        #expect(ledger.download.snapshot == .init(transferred: 2, expected: 2))
        _ = ledger.openGet()
        #expect(ledger.download.snapshot == .init(transferred: 2, expected: nil))
    }

    @Test
    mutating func `An upload that is answered early expects exactly the bytes that it sent`() {
        var put = ledger.openUpload(800)
        ledger.start(&put)
        ledger.send(300, &put)
        ledger.end(.finished, &put)
        #expect(upload == .init(transferred: 300, expected: 300))
    }

    @Test
    mutating func `A body of unknown length is estimated by the mean of the other bodies`() {
        _ = ledger.openUpload(nil)
        #expect(upload == .init(transferred: 0, expected: nil))
        _ = ledger.openGet()
        _ = ledger.openUpload(800)
        #expect(upload == .init(transferred: 0, expected: 1600, isEstimated: true))
    }

    @Test
    mutating func `A failed attempt's sent bytes leave the ledger, and the length stays`() {
        var put = ledger.openUpload(800)
        ledger.start(&put)
        ledger.send(300, &put)
        ledger.failAttempt(keepingSize: false, &put)
        #expect(upload == .init(transferred: 0, expected: 800))
        ledger.end(.cancelled, &put)
        #expect(upload == .init(transferred: 0, expected: nil))
    }
}
