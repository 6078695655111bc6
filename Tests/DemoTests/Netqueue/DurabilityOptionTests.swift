import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@testable import netqueue

struct DurabilityOptionTests {
    @Test(
        arguments: [
            ([], .atEnd), (["--fsync", "end"], .atEnd), (["--fsync=each"], .eachFile), (["--fsync", "never"], .never),
        ] as [([String], Durability)])
    func `The option --fsync sets the durability of the queue`(arguments: [String], durability: Durability) throws {
        let invocation = try Invocation(arguments: arguments + ["http://127.0.0.1/a"])
        guard case .run(let options) = invocation else {
            Issue.record("not a download")
            return
        }
        #expect(options.configuration.durability == durability)
    }

    @Test func `A disk that does not take all files makes the exit code 1`() {
        var report = JobReport()
        report.counts = .init(finished: 2)
        #expect(report.exitCode == .success)
        report.unflushed = ["/mnt/photos"]
        #expect(report.exitCode == .failure)
    }

    @Test(arguments: ["each", "end", "never"])
    func `Each --fsync downloads small and large files`(value: String) async throws {
        let rig = try NetqueueRig()
        rig.server.serve("/small", .text("content"))
        rig.server.serve("/large", .generated(size: 3 << 20))
        let run = try await rig.run(["--fsync", value, "-dout", rig.url("/small"), rig.url("/large")])
        #expect(run.exitCode == 0)
        #expect(try rig.folder.files(in: "out") == ["large", "small"])
    }
}
