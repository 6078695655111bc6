import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Numbers from servers, files and callers that are too large to calculate with.
@Suite(.timeLimit(.minutes(10)))
struct ExtremeNumberTests {
    private static let ranges = [
        "bytes 0-9223372036854775807/*", "bytes 9223372036854775807-9223372036854775807/*",
        "bytes 0-9223372036854775806/9223372036854775807", "bytes 9223372036854775806-9223372036854775806/*",
        "bytes 0-99999999999999999999/*", "bytes */9223372036854775807", "bytes 0-4/99999999999999999999",
    ]

    @Test(arguments: ranges, [200, 206, 416]) func `A Content-Range of any numbers is read`(value: String, status: Int)
    {
        let head = ResponseHead(statusCode: status, headers: ["Content-Range": value], url: .test("a"))
        _ = (head.isPartial, head.rangeLength)
        if case .part(let first, let last, let total)? = ContentRange(value) {
            #expect(first <= last && last < .max && total.map { last < $0 } ?? true)
        }
    }

    @Test(arguments: ["GET", "HEAD"], [200, 206])
    func `A response with an impossible Content-Range is a bad one`(method: String, status: Int) async {
        for range in ["0-9223372036854775807/*", "0-99999999999999999999/*", "0-4/99999999999999999999"] {
            let rig = QueueRig(
                ScriptedTransport { _ in .status(status, ["Content-Range": "bytes \(range)", "Content-Length": "0"]) })
            let operation = rig.queue.add(NetworkRequest(.test("a"), method: method))
            await rig.queue.run()
            #expect(operation.error?.code == .badServerResponse)
        }
    }

    @Test func `A Content-Range of other units, or in an error page, may have any numbers`() async throws {
        let rows = QueueRig(
            ScriptedTransport { _ in .status(206, ["Content-Range": "rows 0-99999999999999999999/*"]) })
        let failing = QueueRig(
            ScriptedTransport { _ in .status(404, ["Content-Range": "bytes 0-99999999999999999999/*"]) })
        let (first, second) = (rows.queue.add(.test("a")), failing.queue.add(.test("a")))
        await rows.queue.run()
        await failing.queue.run()
        #expect(first.error == nil && second.error?.code == .httpStatus(404))
    }

    @Test(arguments: [.max, .max - 1, 1 << 62] as [Int64])
    func `Lengths that are too large together can be added up`(length: Int64) async throws {
        let transport = ScriptedTransport()
        let rig = QueueRig(transport) { $0.showsAccurateProgress = true }
        let body = RequestBody.stream(length: length) { _, count in Data(count: count) }
        let operations = (0..<3).map { rig.queue.add(.post(.test("\($0)"), body: body)) }
        for operation in operations { _ = operation.progressUpdates }
        rig.queue.go()
        await transport.waitForExchanges(3)
        for index in 0..<3 {
            let exchange = await transport.exchange(index)
            exchange.send(length)
            exchange.receive(headers: ["Content-Length": "\(length)"])
            exchange.receive(Data("x".utf8))
        }
        rig.advance(by: .seconds(1))
        let progress = rig.queue.progress
        #expect((0...1).contains(progress.fractionCompleted) && progress.upload.transferred >= 0)
        for operation in operations {
            let progress = operation.progress
            #expect(progress.fractionCompleted.map { (0...1).contains($0) } ?? true)
            #expect(progress.download.expected == length && progress.upload.transferred == length)
        }
        for index in 0..<3 { await transport.exchange(index).end() }
        await rig.recorder.waitForDrain()
    }

    @Test func `Any number of requests can be announced, and sizes be asked for at once`() async throws {
        let transport = ScriptedTransport { exchange in
            exchange.method == "HEAD" ? .status(200, ["Content-Length": "1125899906842624"]) : .ok()
        }
        let rig = QueueRig(transport) {
            $0.showsAccurateProgress = true
            $0.maxConcurrentSizingCount = .max
            $0.maxConcurrentRequestCount = .max
            $0.maxConcurrentRequestCountPerHost = .max
        }
        for _ in 0..<3 { rig.queue.expectRequests(.max) }
        rig.add(40)
        await rig.queue.run()
        #expect(rig.queue.progress.counts.finished == 40)
    }

    @Test(arguments: ["9223372036854775807", "99999999999999999999", "2147483647"])
    func `A file name that ends in the largest number is numbered all the same`(number: String) throws {
        let folder = try TemporaryFolder()
        var names = try PartNames(folder.file("a-\(number).txt"))
        names.isNumbered = true
        let place = try FileMove.choosePlace(names, onConflict: .rename) { $0.hasSuffix("-\(number).txt") ? EEXIST : 0 }
        #expect(place.path != names.destination)
    }

    @Test(arguments: [-1e300, -.infinity, .infinity, .nan, 1e300, -62_167_219_201, 253_402_300_800])
    func `A date outside the calendar of HTTP is written as the nearest one in it`(seconds: Double) {
        let text = HTTPDate.text(Date(timeIntervalSince1970: seconds))
        #expect(HTTPDate.fixdate(from: text) != nil)
    }

    #if canImport(Glibc)
        @Test(arguments: [Int.max, .min, 1 << 53, -62_167_219_201])
        func `A file may have any modification time`(seconds: Int) throws {
            var status = stat()
            status.st_mtim.tv_sec = seconds
            #expect(PartLock.isIdle(status) == (seconds < 0))
            let date = Date(timeIntervalSince1970: TimeInterval(status.modificationSeconds))
            #expect(Int64(exactly: date.timeIntervalSince1970) == Int64(status.modificationSeconds))
            #expect(HTTPDate.fixdate(from: HTTPDate.text(date)) != nil)
        }
    #endif

    @Test func `A pacer can be charged any number of bytes`() {
        let limit = BandwidthLimit(bytesPerSecond: 1)
        for _ in 0..<3 { #expect(limit.delay(until: limit.charge(.max)) <= .milliseconds(100)) }
        limit.bytesPerSecond = .max
        #expect(limit.delay(until: limit.charge(1)) <= .milliseconds(100))
    }
}
