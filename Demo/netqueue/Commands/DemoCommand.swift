import Dashboard
import Foundation
import NetworkQueueKit

/// `netqueue demo`: downloads from an embedded server and verifies every byte.
struct DemoCommand {
    let options: Options

    func run() async -> Ending {
        let display = Display.make(options)
        do {
            let folder = try ScratchFolder()
            defer { folder.remove() }
            let interruption = Interruption()
            interruption.onLeaving { folder.remove() }
            let signals = TerminalSignals(display: display, interruption: interruption)
            defer { signals.stop() }
            let report = try await download(to: folder, display: display, interruption: interruption)
            let remark = report.exitCode == .success ? ", every file verified" : ""
            return Ending(code: report.exitCode, output: options.isQuiet ? "" : report.text(remark: remark))
        } catch {
            display.log("netqueue: the demo cannot run: \(error)")
            return Ending(code: .failure)
        }
    }

    private func download(
        to folder: ScratchFolder, display: any ProgressDisplay, interruption: Interruption
    ) async throws -> JobReport {
        let plan = DemoPlan(count: options.files)
        let server = try DemoServer(
            plan, pace: plan.pace(seconds: options.seconds, connections: options.jobs))
        defer { server.stop() }
        var report = await Job(
            items: ItemFeed(server.downloads(plan, to: folder)), configuration: options.configuration, display: display,
            interruption: interruption
        ).run().report
        guard report.exitCode == .success else { return report }
        let verification = Verification(plan: plan, folder: folder)
        report.record.failures += verification.failures { interruption.signal != nil }
        report.signal = interruption.signal
        for failure in report.record.failures { display.log(failure.line) }
        return report
    }
}
