import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// When a batch flushes its files, and what becomes of a flush that fails.
@Suite(.timeLimit(.minutes(10)))
struct DurabilityTests {
    private let rig: QueueRig<NetworkQueue>

    init() {
        rig = QueueRig(configure: { $0.cancelsAllOnFailure = false })
    }

    /// Answers every request with so many bytes.
    private func answer(size: Int = 3, hasLength: Bool = true) {
        let headers: HTTPHeaders = hasLength ? ["Content-Length": "\(size)"] : [:]
        rig.transport.setScript { _ in .respond(status: 200, headers: headers, body: Data(count: size)) }
    }

    /// Runs a download and returns what happened, in order.
    private func log(
        _ durability: Durability, files count: Int = 1, _ witness: FlushWitness
    ) async -> [String] {
        rig.queue.durability = durability
        // In one run: a started queue could drain between two additions.
        let summary = await rig.queue.run {
            for number in 0..<count {
                rig.queue.add(rig.request("\(number)", to: "\(number)")) { _, _, error in
                    witness.log.add(error == nil ? "finished" : "failed")
                }
            }
        }
        witness.log.add(summary.isSuccess ? "success" : "no success")
        return witness.log.values
    }

    @Test(
        arguments: [
            (.atEnd, ["finished", "file", "success"]), (.eachFile, ["file", "finished", "success"]),
            (.never, ["finished", "success"]),
        ] as [(Durability, [String])], [3, 100_000, 1 << 20])
    func `A file of up to 1 MiB is flushed when the durability says`(
        _ expected: (durability: Durability, log: [String]), size: Int
    ) async {
        answer(size: size)
        let witness = FlushWitness(in: rig.queue)
        #expect(await log(expected.durability, witness) == expected.log)
        #expect(rig.folder.contents == ["0"])
    }

    @Test(arguments: [((1 << 20) + 1, true), (3, false)])
    func `A file that is larger, or of unknown size, is flushed before its operation finishes`(
        size: Int, hasLength: Bool
    ) async {
        answer(size: size, hasLength: hasLength)
        let witness = FlushWitness(in: rig.queue)
        #expect(await log(.atEnd, witness) == ["file", "finished", "success"])
    }

    @Test func `Many small files are flushed with one call`() async {
        answer()
        let witness = FlushWitness(in: rig.queue)
        let count = UnflushedFiles.maximumFileCount
        let few = await log(.atEnd, files: count, witness)
        #expect(few.count { $0 == "file" } == count && !few.contains("volume"))
        try? FileManager.default.removeItem(at: rig.folder.url)
        let many = Array(await log(.atEnd, files: count + 1, witness).dropFirst(few.count))
        #expect(many == Array(repeating: "finished", count: count + 1) + ["volume", "success"])
    }

    @Test func `On a disk that reports no errors of all its files, each of many is flushed`() async {
        answer()
        let witness = FlushWitness(hasVolumes: false, in: rig.queue)
        rig.queue.maxConcurrentRequestCount = 1
        let count = UnflushedFiles.maximumFileCount
        let log = await log(.atEnd, files: count + 2, witness)
        #expect(log.count { $0 == "file" } == count + 2 && !log.contains("volume"))
        // Two before their operations have finished, the others together.
        #expect(Array(log.suffix(count + 1)) == Array(repeating: "file", count: count) + ["success"])
    }

    @Test func `A flush that fails is no failure of an operation but of the run`() async {
        answer()
        let witness = FlushWitness(in: rig.queue)
        witness.fail(with: EIO)
        rig.queue.add(rig.request())
        let summary = await rig.queue.run()
        #expect(summary.counts.finished == 1 && summary.firstFailure == nil && !summary.isSuccess)
        let error = summary.flushFailures.first
        #expect(summary.flushFailures.count == 1 && error?.code == .fileSystem && error?.posixCode == .EIO)
        #expect(error?.fileURL?.path(percentEncoded: false) == rig.folder.path + "/")
        #expect("\(summary)".contains("; not flushed: "))

        witness.fail(with: 0)
        rig.queue.add(rig.request("2", to: "2"))
        #expect(await rig.queue.run().isSuccess)
    }

    @Test(arguments: [3, 100_000])
    func `With a flush of each file, one that fails fails the operation and leaves no file`(size: Int) async {
        answer(size: size)
        let witness = FlushWitness(in: rig.queue)
        witness.fail(with: ENOSPC)
        #expect(await log(.eachFile, witness) == ["file", "failed", "no success"])
        #expect(rig.folder.contents == [])
    }

    @Test func `The end of the run waits for a flush, and operations do not`() async {
        answer()
        let witness = FlushWitness(isHeld: true, in: rig.queue)
        rig.queue.maxConcurrentRequestCount = 1
        let first = rig.queue.add(rig.request())
        async let run = rig.queue.run()
        #expect(await witness.log.wait(count: 1) == ["file"])
        #expect(first.isFinished && rig.queue.isRunning && rig.queue.isFlushing)
        let second = rig.queue.add(rig.request("2", to: "2"))
        await rig.end(of: second)
        #expect(rig.recorder.summaries.isEmpty)
        witness.open()
        // The second file is flushed, too, and belongs to the same run.
        #expect(await witness.log.wait(count: 2) == ["file", "file"])
        #expect(rig.recorder.summaries.isEmpty)
        witness.open()
        #expect(await run.counts.finished == 2)
        #expect(rig.recorder.summaries.count == 1 && !rig.queue.isFlushing)
    }

    @Test func `A reset does not wait for a flush, whose outcome is not told`() async {
        answer()
        let witness = FlushWitness(isHeld: true, in: rig.queue)
        witness.fail(with: EIO)
        rig.queue.add(rig.request())
        rig.queue.go()
        _ = await witness.log.wait(count: 1)
        rig.queue.reset()
        #expect(!rig.queue.isRunning && !rig.queue.isFlushing)
        rig.queue.delegate = rig.recorder
        rig.queue.add(.test("3"))
        witness.open()
        let summary = await rig.queue.run()
        #expect(summary.isSuccess && summary.counts.finished == 1)
        #expect(rig.recorder.summaries.count == 1)
    }

    @Test func `A file that is kept is not flushed`() async throws {
        try rig.folder.write("old", to: "0")
        rig.transport.setScript { _ in .status(304) }
        let witness = FlushWitness(in: rig.queue)
        let operation = rig.queue.add(rig.request(to: "0", onConflict: .keepIfCurrent(otherwise: .fail)))
        await rig.queue.run()
        #expect(try operation.result?.get().wasKept == true)
        #expect(witness.log.values == [])
    }

    @Test func `A file that an operation in no queue downloads is flushed at once`() {
        #expect(RunEnvironment(transport: rig.transport).defaults.durability == .eachFile)
        #expect(RunEnvironment.standalone.defaults.durability == .eachFile)
    }

    @Test func `The system flushes files and volumes, and nothing stays open`() async throws {
        answer()
        for count in [1, 2 * UnflushedFiles.maximumFileCount] {
            let folder = try TemporaryFolder()
            for number in 0..<count {
                var request = NetworkRequest(URL.test("\(number)"))
                request.destination = .file(folder.file("\(number)"))
                rig.queue.add(request)
            }
            #expect(await rig.queue.run().isSuccess)
            #expect(folder.contents.count == count)
            for name in folder.contents + [""] { #expect(openDescriptors(of: folder.file(name)) == 0) }
        }
    }

    @Test func `A folder into which nothing was downloaded in the end does not stay open`() async throws {
        rig.transport.setScript { _ in .text("too long", ["Content-Length": "3"]) }
        let operation = rig.queue.add(rig.request())
        await rig.queue.run()
        #expect(operation.error?.code == .badServerResponse)
        rig.transport.setScript { _ in .hold }
        let taken = rig.queue.add(rig.request("2", to: "2", onConflict: .fail))
        let exchange = await rig.transport.exchange(1)
        exchange.receive(headers: ["Content-Length": "5"])
        // After the request has found room on the volume, and before its file has its name.
        try rig.folder.write("old", to: "2")
        exchange.receive(Data(count: 5))
        exchange.end()
        await rig.queue.run()
        #expect(taken.error?.posixCode == .EEXIST)
        #expect(openDescriptors(of: rig.folder.url) == 0)
    }

    @Test func `A reset flushes what was stored before`() async {
        answer()
        let witness = FlushWitness(in: rig.queue)
        rig.queue.isSuspended = true
        rig.queue.maxConcurrentRequestCount = 1
        let operation = rig.queue.add(rig.request())
        rig.queue.go()
        rig.queue.add(.test("2")).pause()
        rig.queue.isSuspended = false
        await rig.end(of: operation)
        #expect(witness.log.values == [])
        rig.queue.reset()
        #expect(await witness.log.wait(count: 1) == ["file"])
    }
}
