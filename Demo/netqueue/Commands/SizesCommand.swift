import Dashboard
import Foundation
import NetworkQueueKit

/// `netqueue sizes URL…`: sends a HEAD for each URL, and a GET for the first byte if HEAD is refused.
struct SizesCommand {
    let options: Options

    func run() async throws(UsageError) -> Ending {
        let source = try SourceReader.readAll(options)
        let decoration = try RequestDecoration(options)
        let transport = try options.makeTransport()
        let configuration = try makeConfiguration()
        let named = Array(zip(source.entries, Self.names(of: source.entries)))
        let items = named.map { entry, name in
            var request = NetworkRequest.head(entry.url)
            request.validation = .statusCodes(Array(200..<300) + SizeTable.refusals)
            return item(entry, name, request, decoration)
        }
        var output = CommandOutput(options)
        output.tell(source.bad)
        if items.isEmpty { return output.ending(withoutItems: source.bad, options.emptyText("size")) }
        let sizes = SizeTable(output.listeners)
        output.listeners = [sizes]
        var report = await output.run { [output] interruption in
            func ask(_ items: [JobItem], _ verb: String, badCount: Int) async -> JobReport {
                await Job(
                    verb: verb, items: ItemFeed(items), configuration: configuration, transport: transport,
                    output: output, interruption: interruption, decoration: decoration,
                    others: { .init(failed: badCount) }, bytes: { sizes.total }
                ).run()
            }
            var report = await ask(items, "Requesting the sizes of", badCount: source.bad.count)
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
            return report
        }
        report.add(source.bad)
        report.size = sizes.total
        return output.ending(report, report.failuresText.fitting(.current), product: sizes.text(items.map(\.name)))
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
    ) -> JobItem {
        var request = request
        for header in entry.headers { header.add(to: &request.headers) }
        request.tag = name
        request.group = entry.group
        decoration.decorate(&request)
        return JobItem(name: name, request: request)
    }

    private func makeConfiguration() throws(UsageError) -> NetworkQueue.Configuration {
        var configuration = try options.configurationWithCookies()
        configuration.maxConcurrentRequestCount = options.checkers ?? configuration.maxConcurrentSizingCount
        // The requests themselves determine the sizes.
        configuration.showsAccurateProgress = false
        return configuration
    }
}
