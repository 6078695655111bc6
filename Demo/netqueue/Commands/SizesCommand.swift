import Dashboard
import Foundation
import NetworkQueueKit

/// `netqueue sizes URL…`: the HEADs alone.
struct SizesCommand {
    let options: SizesOptions

    func run() async throws(UsageError) -> Ending {
        let environment = ProcessInfo.processInfo.environment
        let source = try SourceReader.readAll(options.source)
        let decoration = try RequestDecoration(options.transfer, environment: environment)
        let transport = try options.transfer.connection.makeTransport(environment: environment)
        let items = source.entries.map { entry in
            var request = NetworkRequest.head(entry.url)
            for header in entry.headers { header.add(to: &request.headers) }
            request.tag = URLText.shown(entry.url)
            decoration.decorate(&request)
            return PlainItem(name: request.tag ?? "", request: request)
        }
        let output = CommandOutput(options.transfer)
        output.tell(source.bad)
        // A bar for no size would be full.
        guard !items.isEmpty else {
            var report = JobReport()
            report.add(source.bad)
            let text = source.bad.isEmpty ? "Nothing to ask for: no list has a URL.\n" : report.failuresText
            return output.ending(report, text.fitting(.current))
        }
        let interruption = Interruption()
        let signals = TerminalSignals(
            display: output.display, interruption: interruption,
            readsInput: options.source.lists.contains(SourceOptions.standardInput))
        defer { signals.stop() }
        let sizes = SizeTable()
        let badCount = source.bad.count
        var report = await Job(
            verb: "Asking for the sizes of", items: items, configuration: configuration, transport: transport,
            display: output.display, interruption: interruption, failures: output.failures,
            listeners: output.listeners + [sizes],
            others: { .init(failed: badCount) }
        ).run().report
        report.add(source.bad)
        return output.ending(report, sizes.text(items.map(\.name)) + report.failuresText.fitting(.current))
    }

    private var configuration: NetworkQueue.Configuration {
        var configuration = options.transfer.configuration
        configuration.maxConcurrentRequestCount = options.transfer.checkers ?? configuration.maxConcurrentSizingCount
        // They are the sizes.
        configuration.showsAccurateProgress = false
        return configuration
    }
}
