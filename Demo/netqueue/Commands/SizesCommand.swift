import Dashboard
import Foundation
import NetworkQueueKit

/// `netqueue sizes URL…`: sends a HEAD for each URL, and a GET for the first byte if HEAD is refused.
struct SizesCommand {
    let options: Options

    func run() async throws(UsageError) -> Ending {
        let environment = ProcessInfo.processInfo.environment
        let source = try SourceReader.readAll(options)
        let decoration = try RequestDecoration(options, environment: environment)
        let transport = try options.makeTransport(environment: environment)
        let configuration = try makeConfiguration()
        let named = Array(zip(source.entries, Self.names(of: source.entries)))
        let items = named.map { entry, name in
            var request = NetworkRequest.head(entry.url)
            request.validation = .statusCodes(Array(200..<300) + SizeTable.refusals)
            return item(entry, name, request, decoration)
        }
        let output = CommandOutput(options)
        output.tell(source.bad)
        // A bar for no sizes would appear full.
        guard !items.isEmpty else {
            var report = JobReport()
            report.add(source.bad)
            let text = source.bad.isEmpty ? options.emptyText("size") : report.failuresText
            return output.ending(report, text.fitting(.current))
        }
        let interruption = Interruption()
        let signals = TerminalSignals(
            display: output.display, interruption: interruption,
            readsInput: options.lists.contains(Options.standardInput))
        let sizes = SizeTable(output.listeners)
        let badCount = source.bad.count
        func ask(_ items: [PlainItem], _ verb: String, badCount: Int) async -> JobReport {
            await Job(
                verb: verb, items: ItemFeed(items), configuration: configuration, transport: transport,
                display: output.display,
                interruption: interruption, failures: output.failures, netrc: decoration.netrc,
                hasProxyLogin: decoration.hasProxyLogin, listeners: [sizes], others: { .init(failed: badCount) },
                bytes: { sizes.total }
            ).run().report
        }
        var report = await ask(items, "Requesting the sizes of", badCount: badCount)
        // The user asked for sizes, so a GET is justified.
        let refused = sizes.refused
        if !refused.isEmpty, interruption.signal == nil {
            let others = named.filter { refused.contains($1) }.map { entry, name in
                var request = NetworkRequest.firstByte(of: entry.url)
                request.retryPolicy = configuration.retryPolicy
                return item(entry, name, request, decoration)
            }
            report.replace(others.count, by: await ask(others, "Retrying the sizes of", badCount: 0))
        }
        signals.stop()
        report.add(source.bad)
        report.size = sizes.total
        return output.ending(
            report, report.failuresText.fitting(.current), product: sizes.text(items.map(\.name)))
    }

    /// A name for each entry: its URL without a login, with a number if an earlier entry has the same.
    private static func names(of entries: [ListEntry]) -> [String] {
        var counts: [String: Int] = [:]
        return entries.map { entry in
            let text = URLText.shown(entry.url)
            let count = counts[text, default: 0] + 1
            counts[text] = count
            return count == 1 ? text : "\(text) (\(count))"
        }
    }

    private func item(
        _ entry: ListEntry, _ name: String, _ request: NetworkRequest, _ decoration: RequestDecoration
    ) -> PlainItem {
        var request = request
        for header in entry.headers { header.add(to: &request.headers) }
        request.tag = name
        decoration.decorate(&request)
        return PlainItem(name: name, request: request)
    }

    private func makeConfiguration() throws(UsageError) -> NetworkQueue.Configuration {
        var configuration = try options.configurationWithCookies()
        configuration.maxConcurrentRequestCount = options.checkers ?? configuration.maxConcurrentSizingCount
        // The requests themselves determine the sizes.
        configuration.showsAccurateProgress = false
        return configuration
    }
}
