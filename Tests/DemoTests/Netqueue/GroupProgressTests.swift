import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@testable import netqueue

/// What the display and the report say of groups.
@Suite(.timeLimit(.minutes(10)))
struct GroupProgressTests {
    private func configuration(jobs: Int) -> NetworkQueue.Configuration {
        var options = Options()
        options.jobs = jobs
        options.maxParts = nil
        return options.configuration
    }

    @Test func `Each group at work has a bar of its bytes and the speed of its files`() async throws {
        let names = ["a1", "a2", "b1", "plain"]
        let rig = try JobRig(sizes: Dictionary(uniqueKeysWithValues: names.map { ($0, 1_000_000) }))
        let run = rig.start(names, configuration(jobs: 3)) { request in
            request.group = request.tag.flatMap { $0.count == 2 ? "group \($0.prefix(1))" : nil }
        }
        let gets = await rig.gets(3)
        for get in gets { get.receive(headers: ["Content-Length": "1000000"]) }
        rig.pass(tenths: 50) { _ in for get in gets { get.receive(Data(count: 10_000)) } }
        let lines = rig.frame().dropLast().suffix(2)
        #expect(
            lines.map { $0.split(separator: " ").joined(separator: " ") } == [
                "group a [======> ] 0/2 files, 977 KiB/1.9 MiB, 195 KiB/s",
                "group b [======> ] 0/1 file, 488/977 KiB, 97.7 KiB/s",
            ])
        gets[2].receive(Data(count: 500_000))
        gets[2].end()
        _ = await rig.gets(4)
        #expect(!rig.frame().joined().contains("group b") && rig.frame().joined().contains("group a"))
        let report = await rig.end(run)
        #expect(report.groups.map(\.name) == ["group a", "group b"])
        #expect(report.groups.map(\.finished) == [0, 1] && report.groups.map(\.total) == [2, 1])
        #expect(report.groups.map(\.bytes) == [0, 1_000_000])
        #expect(report.text(columns: 80).contains("\n  group a: 0 of 2 files\n  group b: 1 file, 977 KiB\n"))
    }

    @Test func `The bar of a group counts its files that have not been read, and never goes back`() async throws {
        let names = (0..<1000).map { "file-\($0)" }
        let rig = try JobRig(sizes: Dictionary(uniqueKeysWithValues: names.map { ($0, 1000) }))
        let run = rig.start(names, configuration(jobs: 1)) { $0.group = "all" }
        var percents: [Int] = []
        for number in 0..<300 {
            let get = await rig.gets(number + 1)[number]
            let line = rig.frame(columns: 40).dropLast().last { $0.hasPrefix("  all") } ?? ""
            percents.append(line.firstMatch(of: /([0-9]+)%/).flatMap { Int($0.1) } ?? -1)
            get.answer(.ok(Data(count: 1000)))
        }
        #expect(percents == (0..<300).map { Int(Double($0) / 1000 * 100) })
        _ = await rig.gets(301)
        #expect(rig.frame().joined().contains("300/1000 files"))
        let report = await rig.end(run)
        #expect(report.groups.map(\.finished) == [300])
    }

    @Test func `The summary has a line for each of five groups, first those that lack files`() {
        var report = JobReport()
        report.counts = .init(finished: 19, failed: 1)
        report.groups = (1...7).map { number in
            .init(name: "g\(number)", total: 3, finished: number == 6 ? 2 : 3, bytes: 2048)
        }
        let lines = report.text(columns: 80).split(separator: "\n")
        #expect(
            lines == [
                "19 of 20 files, 0 B in 0.0 s", "  g6: 2 of 3 files, 2.0 KiB", "  g1: 3 files, 2.0 KiB",
                "  g2: 3 files, 2.0 KiB", "  g3: 3 files, 2.0 KiB", "  g4: 3 files, 2.0 KiB", "  +2 more groups",
            ])
        report.groups = [.init(name: String(repeating: "long", count: 30), total: 1, finished: 1, bytes: 0)]
        #expect(report.text(columns: 40).split(separator: "\n")[1].count <= 40)
    }
}
