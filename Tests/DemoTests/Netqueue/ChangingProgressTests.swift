import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@testable import netqueue

/// What the display says when a pause, a stall or a new transfer changes the course of a job.
@Suite(.timeLimit(.minutes(10)))
struct ChangingProgressTests {
    private func configuration(jobs: Int = 4, sizes: Bool = true) -> NetworkQueue.Configuration {
        var options = Options()
        options.jobs = jobs
        options.maxParts = nil
        options.usesSizing = sizes
        return options.configuration
    }

    private func head(_ size: Int64) -> HTTPHeaders {
        ["Content-Length": "\(size)", "ETag": "\"v1\"", "Accept-Ranges": "bytes"]
    }

    @Test func `After a pause the ETA is measured anew, and the rows say that they are paused`() async throws {
        let rig = try JobRig(sizes: ["a.iso": 6_000_000])
        let run = rig.start(["a.iso"], configuration())
        let first = await rig.gets(1)[0]
        first.receive(headers: head(6_000_000))
        rig.pass(tenths: 100) { _ in first.receive(Data(count: 10_000)) }
        #expect(rig.eta == 50)
        rig.interruption.setPaused(true)
        await rig.transport.wait { $0.isQuiet }
        rig.pass(tenths: 300)
        let paused = rig.frame()
        #expect(paused.first?.hasSuffix("paused") == true && !paused.joined().contains("stalled"))
        #expect(rig.eta == nil)
        rig.interruption.setPaused(false)
        let second = await rig.gets(2)[1]
        #expect(second.exchange.headers["Range"] == "bytes=1000000-")
        second.receive(
            status: 206,
            headers: ["Content-Range": "bytes 1000000-5999999/6000000", "Content-Length": "5000000", "ETag": "\"v1\""])
        rig.pass(tenths: 10) { _ in second.receive(Data(count: 10_000)) }
        #expect(!rig.frame().joined().contains("paused"))
        let eta = try #require(rig.eta)
        #expect((48...51).contains(eta))
        await rig.end(run)
    }

    @Test func `Without sizing, the percentage comes from bytes once the heads have told all sizes`() async throws {
        let rig = try JobRig()
        let names = ["a", "b", "c", "d"]
        let run = rig.start(names, configuration(sizes: false))
        let gets = await rig.gets(4)
        let size: Int64 = 4_089_446
        var seen: [Int] = []
        for get in gets.prefix(3) { get.receive(headers: head(size)) }
        rig.pass(tenths: 10) { _ in
            for get in gets.prefix(3) { get.receive(Data(count: 10_000)) }
            seen.append(rig.percent ?? 0)
        }
        #expect(seen.allSatisfy { $0 == 0 })
        gets[3].receive(headers: head(size))
        rig.pass(tenths: 35) { _ in
            for get in gets { get.receive(Data(count: 102_400)) }
            seen.append(rig.percent ?? 0)
        }
        #expect(rig.total.contains("/15.6 MiB"))
        let percent = try #require(rig.percent)
        #expect((87...90).contains(percent) && seen == seen.sorted())
        await rig.end(run)
    }

    @Test(arguments: [true, false])
    func `A download that has its last byte and has not ended says what it still needs`(hasChecksum: Bool)
        async throws
    {
        let rig = try JobRig(sizes: ["a.iso": 100_000, "b.iso": 500_000])
        let run = rig.start(["a.iso", "b.iso"], configuration()) {
            if hasChecksum { $0.expectedChecksum = .sha256(String(repeating: "0", count: 64)) }
        }
        let step = hasChecksum ? "checking" : "writing to disk"
        let gets = await rig.gets(2)
        gets[0].receive(headers: head(100_000))
        gets[1].receive(headers: head(500_000))
        rig.pass(tenths: 10) { _ in for get in gets { get.receive(Data(count: 10_000)) } }
        #expect(!rig.frame().joined().contains(step))
        rig.pass(tenths: 50)
        #expect(rig.frame()[0] == "  a.iso  \(step)")
        #expect(rig.frame()[1].hasSuffix("stalled for 5 s"))
        await rig.end(run)
    }

    @Test func `A split download that has its last byte says that it is being checked`() async throws {
        let size: Int64 = 4 << 20
        let rig = try JobRig(sizes: ["a.iso": size])
        var configuration = configuration(jobs: 2)
        configuration.splitting = NetworkRequest.Splitting(maxParts: 2)
        let end = HeldEnd()
        configuration.monitors.append(end)
        let run = rig.start(["a.iso"], configuration) {
            $0.expectedChecksum = .sha256(String(repeating: "0", count: 64))
        }
        let first = await rig.gets(1)[0]
        first.receive(headers: head(size))
        first.receive(Data(count: 1000))
        let second = await rig.gets(2)[1]
        let range = try #require(second.exchange.headers["Range"]).dropFirst("bytes=".count)
        let bounds = range.split(separator: "-").compactMap { Int($0) }
        second.receive(status: 206, headers: ["Content-Range": "bytes \(range)/\(size)", "ETag": "\"v1\""])
        second.receive(Data(count: bounds[1] + 1 - bounds[0]))
        rig.pass(tenths: 10)
        #expect(!rig.frame()[0].contains("checking"))
        end.hold()
        Thread.detachNewThread { first.receive(Data(count: bounds[0] - 1000)) }
        _ = await end.begun.wait(count: 1)
        rig.pass(tenths: 1)
        #expect(!rig.frame()[0].contains("checking"))
        rig.pass(tenths: 40)
        #expect(rig.frame()[0] == "  a.iso  checking")
        end.release()
        await rig.end(run)
    }

    @Test func `After ten seconds of the same transfers the rates of the rows add up to that of the total`()
        async throws
    {
        let names = (1...24).map { "file-\($0)" }
        let rig = try JobRig(sizes: Dictionary(uniqueKeysWithValues: names.map { ($0, 100_000_000) }))
        let run = rig.start(names, configuration(jobs: 24))
        let gets = await rig.gets(24)
        for get in gets { get.receive(headers: head(100_000_000)) }
        // All of them are fast at first, and then few are left.
        rig.pass(tenths: 100) { _ in for get in gets { get.receive(Data(count: 10_000)) } }
        for get in gets.suffix(4) { get.end(.networkConnectionLost) }
        rig.pass(tenths: 100) { tenth in
            for (number, get) in gets.prefix(20).enumerated() {
                if tenth % (number % 3 + 1) == 0 { get.receive(Data(count: 100 * (number + 1))) }
            }
        }
        func rate(_ line: String) -> Double? {
            guard let match = line.firstMatch(of: /([0-9.]+) (B|KiB|MiB)\/s/), let number = Double(match.1) else {
                return nil
            }
            return number * (match.2 == "MiB" ? 1_048_576 : match.2 == "KiB" ? 1024 : 1)
        }
        let tall = rig.frame(rows: 60)
        let rates = tall.dropLast().compactMap(rate)
        let sum = rates.reduce(0, +)
        let total = try #require(tall.last.flatMap(rate))
        #expect(rates.count == 20)
        #expect(abs(sum - total) < 0.05 * total, "\(sum) and \(total)")
        #expect(rig.frame().dropLast().last == "  +9 more")
        await rig.end(run)
    }

    @Test func `A list longer than the first sizing shows how many sizes are known, and then does not any more`()
        async throws
    {
        let names = (0..<2000).map { "file-\($0)" }
        let rig = try JobRig(sizes: Dictionary(uniqueKeysWithValues: names.prefix(255).map { ($0, 1000) }))
        let run = rig.start(names, configuration(jobs: 2))
        _ = await eventually { rig.total.contains("Sizing 255") }
        #expect(rig.frame() == ["| Sizing 255 of 2,000"])
        rig.transport.exchanges.first { !$0.isOver }?.answer(.status(200, ["Content-Length": "1000"]))
        _ = await rig.gets(2)
        #expect(!rig.frame().joined().contains("Sizing"))
        // When half of what has been read has started, more is read, and the sizes of that are requested.
        for number in 0..<130 {
            let get = await rig.gets(number + 1)[number]
            get.answer(.ok(Data(count: 1000)))
        }
        _ = await eventually { rig.frame().joined().contains("Sizing") }
        #expect(rig.frame().contains("  Sizing 256 of 2,000"))
        for _ in 0..<2000 {
            for exchange in rig.transport.exchanges where !exchange.isOver && exchange.exchange.method == "HEAD" {
                exchange.answer(.status(200, ["Content-Length": "1000"]))
            }
            rig.settle()
            if !rig.frame().joined().contains("Sizing") { break }
        }
        #expect(rig.frame().count == 3 && !rig.frame().joined().contains("Sizing"))
        await rig.end(run)
    }

    @Test func `While nothing moves there is no ETA`() async throws {
        let rig = try JobRig(sizes: ["a.iso": 6_000_000, "b.iso": 6_000_000])
        let run = rig.start(["a.iso", "b.iso"], configuration())
        let gets = await rig.gets(2)
        for get in gets { get.receive(headers: head(6_000_000)) }
        rig.pass(tenths: 100) { _ in for get in gets { get.receive(Data(count: 10_000)) } }
        #expect(rig.eta == 50)
        rig.pass(tenths: 20)
        #expect(rig.eta != nil)
        rig.pass(tenths: 20)
        #expect(rig.eta == nil && rig.total.contains("0/2 files"))
        rig.pass(tenths: 1) { _ in gets[0].receive(Data(count: 10_000)) }
        #expect(rig.eta != nil)
        await rig.end(run)
    }

    @Test func `The ETA does not follow a file that is slow at the start, but one that stays slow`() async throws {
        let names = ["a", "b", "c", "slow"]
        let rig = try JobRig(sizes: Dictionary(uniqueKeysWithValues: names.map { ($0, 6_000_000) }))
        let run = rig.start(names, configuration())
        let gets = await rig.gets(4)
        for get in gets { get.receive(headers: head(6_000_000)) }
        let bytes = { (get: ScriptedExchange) in get.path.hasSuffix("slow") ? 100 : 20_000 }
        rig.pass(tenths: 30) { _ in for get in gets { get.receive(Data(count: bytes(get))) } }
        let early = try #require(rig.eta)
        // 24 MB at 601 kB/s, of which three seconds have passed.
        #expect((36...38).contains(early))
        rig.pass(tenths: 90) { _ in for get in gets { get.receive(Data(count: bytes(get))) } }
        let late = try #require(rig.eta)
        #expect(late > 3600)
        await rig.end(run)
    }
}

/// Keeps attempts from ending between `hold` and `release`.
private final class HeldEnd: QueueMonitor {
    let begun = Gathering<Void>()
    private let semaphore = DispatchSemaphore(value: 0)
    private let isHolding = Locked(false)

    func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
        guard isHolding.withLock({ $0 }) else { return }
        begun.add(())
        semaphore.wait()
    }

    func hold() { isHolding.withLock { $0 = true } }

    func release() {
        isHolding.withLock { $0 = false }
        for _ in begun.values { semaphore.signal() }
    }
}
