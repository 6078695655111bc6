import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@testable import netqueue

struct StatusFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.file(name).path(percentEncoded: false) }

    private func read(_ name: String) throws -> JobStatus {
        try JobStatus.decode(Data(contentsOf: folder.file(name)))
    }

    @Test func `Each write has the next sequence, and nothing follows the end`() throws {
        let file = try StatusFile(folder.path + "/", shard: .init(number: 2, count: 4)) { Issue.record("\($0)") }
        #expect(folder.contents == [])
        file.write(.init(phase: .transferring, download: .init(transferred: 5, expected: 9)))
        let first = try read("2-of-4.netqueue.json")
        #expect(first.sequence == 1 && first.shard == "2/4" && first.exit == nil && first.host == JobStatus.hostName)
        file.end(JobReport(counts: .init(finished: 3, failed: 1)), .failure)
        file.write(.init())
        let last = try read("2-of-4.netqueue.json")
        #expect(last.sequence == 2 && last.run == first.run && last.started == first.started && last.exit == 1)
        #expect(last.progress.phase == .finished && last.progress.download.transferred == 5)
        #expect(last.progress.counts.failed == 1 && folder.contents == ["2-of-4.netqueue.json"])
    }

    @Test func `Without a shard a file in a folder is named after host and process`() throws {
        let file = try StatusFile(folder.path + "/", shard: nil) { _ in }
        #expect(file.path.hasSuffix("-\(getpid()).netqueue.json"))
    }

    @Test func `Only a regular file can be the status file`() throws {
        mkfifo(path("pipe"), 0o600)
        try folder.write("", to: "file")
        symlink(path("file"), path("link"))
        for name in [path("pipe"), path("link"), "/dev/null", path("none/file"), folder.path] {
            let error = #expect(throws: UsageError.self) { try StatusFile(name, shard: nil) { _ in } }
            #expect(error?.code == .usage && error?.message.hasPrefix("--status: “\(name)” ") == true)
        }
        _ = try StatusFile(path("file"), shard: nil) { _ in }
    }

    @Test func `A write error is told once`() throws {
        try FileManager.default.createDirectory(at: folder.file("gone"), withIntermediateDirectories: true)
        let warnings = Locked<[String]>([])
        let file = try StatusFile(path("gone/file"), shard: nil) { text in warnings.withLock { $0.append(text) } }
        try FileManager.default.removeItem(at: folder.file("gone"))
        file.write(.init())
        file.write(.init())
        #expect(warnings.withLock { $0.count } == 1)
    }

    @Test func `Files that are too large, broken, newer or no files are told apart`() throws {
        try folder.write(String(repeating: " ", count: 65_537), to: "large")
        try folder.write("{", to: "broken")
        try folder.write("{\"v\":2}", to: "newer")
        mkfifo(path("pipe"), 0o600)
        let readings = StatusReader.read(["large", "broken", "newer", "pipe", "none"].map(path))
        let texts = readings.map { reading in
            switch reading.reading {
            case .status: "status"
            case .fault(let text), .unreadable(let text): text
            }
        }
        #expect(
            texts == [
                "is larger than 64 KiB", "is not a status file of netqueue",
                "was written by a newer netqueue (v 2)", "is not a regular file",
                "cannot be read: No such file or directory",
            ])
    }
}
