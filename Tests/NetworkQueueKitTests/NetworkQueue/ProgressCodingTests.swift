import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ProgressCodingTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func value<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try decoder.decode(type, from: Data(text.utf8))
    }

    @Test(arguments: [
        (QueueProgress.Phase.idle, #"{"phase":"idle"}"#),
        (.sizing(completed: 3, total: 8), #"{"completed":3,"phase":"sizing","total":8}"#),
        (.transferring, #"{"phase":"transferring"}"#),
        (.finished, #"{"phase":"finished"}"#),
    ])
    func `A phase is an object with its name, and in sizing with its counts`(
        phase: QueueProgress.Phase, text: String
    ) throws {
        #expect(try json(phase) == text)
        #expect(try value(QueueProgress.Phase.self, text) == phase)
    }

    private let full = QueueProgress(
        phase: .sizing(completed: 1, total: 2), counts: .init(waiting: 1, running: 2, failed: 4),
        download: .init(transferred: 5, expected: 10, isEstimated: true), upload: .init(transferred: 1),
        fractionCompleted: 0.25, bytesPerSecond: 1.5, estimatedTimeRemaining: .milliseconds(2500),
        sizing: .init(completed: 1, total: 2))

    @Test func `A snapshot of a queue is read as it was written, with times in seconds`() throws {
        let text = try json(full)
        #expect(
            text == #"{"bytesPerSecond":1.5,"counts":{"cancelled":0,"failed":4,"finished":0,"paused":0,"retrying":0,"#
                + #""running":2,"total":7,"waiting":1},"download":{"expected":10,"isEstimated":true,"transferred":5},"#
                + #""estimatedTimeRemaining":2.5,"fractionCompleted":0.25,"#
                + #""phase":{"completed":1,"phase":"sizing","total":2},"sizing":{"completed":1,"total":2},"#
                + #""upload":{"isEstimated":false,"transferred":1}}"#)
        #expect(try value(QueueProgress.self, text) == full)
    }

    @Test func `What is unknown is absent, and null is read as unknown`() throws {
        let text = try json(QueueProgress())
        #expect(!text.contains("null") && !text.contains("bytesPerSecond") && !text.contains("expected"))
        #expect(try value(QueueProgress.self, text) == QueueProgress())
        let nulls = text.replacing("{\"counts\"", with: "{\"bytesPerSecond\":null,\"sizing\":null,\"counts\"")
        #expect(nulls != text)
        #expect(try value(QueueProgress.self, nulls) == QueueProgress())
    }

    @Test func `The progress of an operation is read as it was written`() throws {
        let progress = OperationProgress(
            download: .init(transferred: 1, expected: 4), fractionCompleted: 0.25, bytesPerSecond: 3,
            estimatedTimeRemaining: .seconds(1))
        let text = try json(progress)
        #expect(
            text == #"{"bytesPerSecond":3,"download":{"expected":4,"isEstimated":false,"transferred":1},"#
                + #""estimatedTimeRemaining":1,"fractionCompleted":0.25,"upload":{"isEstimated":false,"transferred":0}}"#
        )
        #expect(try value(OperationProgress.self, text) == progress)
        let unknown = OperationProgress()
        #expect(try value(OperationProgress.self, try json(unknown)) == unknown)
    }

    @Test(arguments: ["nan", "inf", "-inf"], ["bytesPerSecond", "fractionCompleted", "estimatedTimeRemaining"])
    func `A number that is not finite is neither read nor written`(number: String, key: String) throws {
        let text = try json(full).replacing(
            try Regex("\"\(key)\":[0-9.]+"), with: "\"\(key)\":\"\(number)\"")
        #expect(throws: DecodingError.self) { try value(QueueProgress.self, text) }
        var progress = full
        progress.bytesPerSecond = Double(number)
        // As an encoder that would write it as text.
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        #expect(throws: EncodingError.self) { try encoder.encode(progress) }
    }

    @Test func `A time of any length is read without a trap`() throws {
        let text = try json(full).replacing(#""estimatedTimeRemaining":2.5"#, with: #""estimatedTimeRemaining":1e300"#)
        #expect(try value(QueueProgress.self, text).estimatedTimeRemaining == .seconds(1_000_000_000))
    }

    // MARK: The summary

    @Test func `A summary is data: outcomes, and of each failure a code, words, status, URL and record`() async throws {
        let rig = QueueRig(
            ScriptedTransport { $0.url.path() == "/a" ? .ok(Data(count: 3)) : .status(404) },
            configure: {
                $0.showsAccurateProgress = false
                $0.cancelsAllOnFailure = false
            })
        rig.queue.add(.test("a"))
        let url = try #require(URL(string: "http://me:\(PlantedSecret.word)@host.test/b?token=1#part"))
        rig.queue.add(NetworkRequest(url))
        let summary = await rig.queue.run()
        let record = summary.record
        #expect(record.counts == summary.counts && record.duration == summary.duration)
        #expect(record.bytesReceived == 3 && record.bytesSent == 0 && record.flushFailures.isEmpty)
        let failure = try #require(record.failures.first)
        #expect(record.failures.count == 1 && failure.code == "httpStatus" && failure.status == 404)
        #expect(failure.text == "host.test responded with status 404.")
        #expect(failure.url?.absoluteString == "http://host.test/b")
        #expect(NetworkRequest(failure.record).url.absoluteString == "http://host.test/b?token=1#part")
        let text = try json(summary)
        #expect(!text.contains(PlantedSecret.word))
        #expect(try json(record) == text)
        var read = try value(SummaryRecord.self, text)
        #expect(abs((read.duration - record.duration).seconds) < 1e-6)
        read.duration = record.duration
        #expect(read == record)
    }

    @Test func `A request that ended before any response has a failure without status`() async throws {
        let rig = QueueRig(
            ScriptedTransport { _ in .fail(.timedOut) },
            configure: {
                $0.showsAccurateProgress = false
                $0.retryPolicy = .never
            })
        rig.queue.add(.test("a"))
        let failure = try #require(await rig.queue.run().record.failures.first)
        #expect(failure.code == "timedOut" && failure.status == nil)
    }
}
