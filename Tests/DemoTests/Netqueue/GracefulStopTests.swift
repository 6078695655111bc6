import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@testable import netqueue

/// What `--stop-after` does when its time has come.
@Suite(.timeLimit(.minutes(10)))
struct GracefulStopTests {
    private func configuration(jobs: Int = 1) -> NetworkQueue.Configuration {
        var options = Options()
        options.jobs = jobs
        options.usesSizing = false
        options.retryDelay = 3600
        return options.configuration
    }

    private func finish(_ exchange: ScriptedExchange) {
        exchange.receive(headers: ["Content-Length": "4"])
        exchange.receive(Data("done".utf8))
        exchange.end()
    }

    @Test func `No transfer starts any more, and one that runs may end`() async throws {
        let rig = try JobRig()
        let run = rig.start(["a", "b", "c"], configuration()) { if $0.tag == "c" { $0.stage = 1 } }
        let first = await rig.gets(1)[0]
        rig.interruption.stopGracefully()
        finish(first)
        let report = await run.value
        #expect(rig.gets.count == 1)
        #expect(report.counts.finished == 1 && report.counts.cancelled == 2 && report.unfinished == [1, 2])
        #expect(report.failures == [] && report.isStopped && report.exitCode == .stopped)
        #expect(report.text().hasPrefix("Stopped: "))
    }

    @Test func `A transfer that waits for a retry ends at once, and none waits later`() async throws {
        let rig = try JobRig()
        let run = rig.start(["a", "b"], configuration(jobs: 2))
        let gets = await rig.gets(2)
        gets[0].end(.networkConnectionLost)
        rig.settle()
        rig.interruption.stopGracefully()
        gets[1].end(.networkConnectionLost)
        let report = await run.value
        #expect(rig.gets.count == 2)
        #expect(report.counts.cancelled == 2 && report.failures == [] && report.exitCode == .stopped)
    }

    @Test func `A transfer that is paused ends at once`() async throws {
        let rig = try JobRig()
        let run = rig.start(["a", "b"], configuration())
        _ = await rig.gets(1)
        rig.interruption.setPaused(true)
        await rig.transport.wait { $0.isQuiet }
        rig.settle()
        rig.interruption.stopGracefully()
        let report = await run.value
        #expect(report.counts.cancelled == 2 && report.exitCode == .stopped)
    }

    @Test func `A failure has its own exit code`() async throws {
        let rig = try JobRig()
        let run = rig.start(["a", "b"], configuration())
        let first = await rig.gets(1)[0]
        rig.interruption.stopGracefully()
        first.receive(status: 404, headers: ["Content-Length": "0"])
        first.end()
        let report = await run.value
        #expect(report.isStopped && report.counts.failed == 1 && report.exitCode == .failure)
    }

    @Test func `A signal after the stop cancels what runs, and decides the exit code`() async throws {
        let rig = try JobRig()
        let run = rig.start(["a", "b"], configuration())
        _ = await rig.gets(1)
        rig.interruption.stopGracefully()
        let report = await rig.end(run)
        #expect(report.counts.cancelled == 2 && report.exitCode == .signal(SIGINT))
    }

    @Test func `A stop when all is done changes nothing`() async throws {
        let rig = try JobRig()
        let run = rig.start(["a"], configuration())
        let first = await rig.gets(1)[0]
        rig.interruption.stopGracefully()
        finish(first)
        let report = await run.value
        #expect(!report.isStopped && report.exitCode == .success)
    }
}
