import Foundation
import NetworkQueueKit

/// `netqueue-bench hosts`: what many hosts cost, and what one costs that hangs.
struct HostsCommand {
    /// What one run took for each request, in microseconds.
    private struct Cost {
        var time: Double
        var processor: Double
        /// Of the queue alone, with a transport that answers at once on the thread that asks it.
        var queue: Double
    }

    private static let hostCount = 50
    /// How many requests to a host run at a time beside one that hangs.
    private static let hangingSlots = 2

    let options: HostsOptions
    private let output = Output(isJSON: false)

    init(_ options: HostsOptions) { self.options = options }

    func run() async throws {
        let server = try BenchmarkServer(
            isLogged: false, hostCount: max(options.counts.max() ?? 1, Self.hostCount))
        defer { server.stop() }
        try Data(repeating: 0x61, count: 1024).write(to: server.tree.appending(path: "1k"))
        try await compareCounts(server)
        try await compareHanging(server)
    }

    // MARK: Many

    private func compareCounts(_ server: BenchmarkServer) async throws {
        var costs = Array(repeating: [Cost](), count: options.counts.count)
        for _ in 0..<options.rounds {
            for (index, count) in options.counts.enumerated() {
                costs[index].append(try await measure(hosts: count, server))
            }
        }
        output.text(
            "hosts: \(options.requests) requests, each with a connection; medians of \(options.rounds) rounds, µs a request"
        )
        output.text("   hosts      time  processor     queue   × first")
        let first = costs.first.map(median)
        for (count, all) in zip(options.counts, costs) {
            let cost = median(all)
            let ratios = first.map {
                [cost.time / $0.time, cost.processor / $0.processor, cost.queue / $0.queue].map { format("%.2f", $0) }
            }
            output.text(
                [
                    format("%8.0f", Double(count)), format("%9.1f", cost.time), format("%10.1f", cost.processor),
                    format("%9.2f", cost.queue), "  \(ratios?.joined(separator: " ") ?? "")",
                ].joined(separator: " "))
        }
        output.text("")
    }

    private func median(_ costs: [Cost]) -> Cost {
        Cost(
            time: costs.map(\.time).median, processor: costs.map(\.processor).median,
            queue: costs.map(\.queue).median)
    }

    /// Requests in the order of their hosts, so that those of one are in the way of the next where the limit for a host
    /// is reached.
    private func measure(hosts count: Int, _ server: BenchmarkServer) async throws -> Cost {
        let urls = try (0..<options.requests).map { number in
            try server.url(host: number * count / options.requests, path: "1k?n=\(number)")
        }
        let queue = queue(width: 32, perHost: 16, isSized: false)
        for url in urls { queue.add(request(url)) }
        let before = ResourceUsage.current.cpuSeconds
        let start = ContinuousClock.now
        let summary = await queue.run()
        let time = start.duration(to: .now) / .microseconds(1)
        let processor = (ResourceUsage.current.cpuSeconds - before) * 1e6
        guard summary.isSuccess else {
            throw BenchmarkFailure("\(count) hosts: \(summary.failures.count) requests failed")
        }
        let requests = Double(options.requests)
        return Cost(time: time / requests, processor: processor / requests, queue: try measureQueue(urls))
    }

    private func measureQueue(_ urls: [URL]) throws -> Double {
        guard let url = urls.first else { return 0 }
        let transport = HandTransport(head: ResponseHead(statusCode: 200, headers: ["Content-Length": "0"], url: url))
        let queue = queue(width: 32, perHost: 16, isSized: false, transport: transport)
        for url in urls { queue.add(request(url)) }
        queue.go()
        let start = ContinuousClock.now
        transport.answer(urls.count)
        return start.duration(to: .now) / .microseconds(1) / Double(urls.count)
    }

    // MARK: One that hangs

    private func compareHanging(_ server: BenchmarkServer) async throws {
        let silent = try SilentServer(backlog: 0)
        let fillers = try silent.fill()
        defer { for filler in fillers { close(filler) } }
        for width in options.widths {
            for isSized in [false, true] {
                var (alone, beside): ([Double], [Double]) = ([], [])
                for _ in 0..<options.rounds {
                    alone.append(try await measure(server, width: width, hanging: nil, isSized: isSized))
                    beside.append(try await measure(server, width: width, hanging: silent.url, isSized: isSized))
                }
                // What runs at about the same time is compared: the machine may be slower at another.
                let ratio = zip(beside, alone).map { $0 / $1 }.median
                let slots = Double(width) / Double(width - Self.hangingSlots)
                output.text(
                    "\(Self.hostCount) hosts, \(width) at a time, \(isSized ? "sized" : "unsized"): "
                        + "the others take \(format("%.3f", alone.median)) s, "
                        + "beside one that hangs \(format("%.3f", beside.median)) s, "
                        + "× \(format("%.2f", ratio)); by its slots × \(format("%.2f", slots))")
            }
        }
    }

    /// How many seconds all hosts but the hanging one take.
    private func measure(
        _ server: BenchmarkServer, width: Int, hanging: URL?, isSized: Bool
    ) async throws -> Double {
        let queue = queue(width: width, perHost: Self.hangingSlots, isSized: isSized)
        let isEach = options.requests / Self.hostCount
        let (done, continuation) = AsyncStream.makeStream(of: Bool.self)
        var expected = 0
        for number in 0..<isEach {
            for host in 0..<Self.hostCount {
                if host == 0, let hanging {
                    queue.add(request(hanging.appending(path: "\(number)")))
                } else if host > 0 {
                    let url = try server.url(host: host, path: "1k?n=\(number)")
                    let operation = RequestOperation(request(url))
                    operation.completionHandler = { _, _, error in continuation.yield(error == nil) }
                    queue.add(operation)
                    expected += 1
                }
            }
        }
        let start = ContinuousClock.now
        queue.go()
        for await isGood in done {
            guard isGood else { throw BenchmarkFailure("a request beside the hanging host failed") }
            expected -= 1
            if expected == 0 { break }
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        queue.cancelAll()
        await queue.waitUntilEmpty()
        return seconds
    }

    private func request(_ url: URL) -> NetworkRequest {
        var request = NetworkRequest(url)
        request.destination = .discard
        return request
    }

    private func queue(
        width: Int, perHost: Int, isSized: Bool, transport: (any Transport)? = nil
    ) -> NetworkQueue {
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = isSized
        configuration.maxConcurrentRequestCount = width
        configuration.maxConcurrentRequestCountPerHost = perHost
        return NetworkQueue(
            configuration: configuration, transport: transport ?? Self.transport(),
            delegateQueue: DispatchQueue(label: "hosts"))
    }

    /// One with no connections to begin with.
    private static func transport() -> any Transport {
        #if canImport(Glibc)
            if let transport = CurlTransport() { return transport }
        #endif
        return URLSessionTransport()
    }
}
