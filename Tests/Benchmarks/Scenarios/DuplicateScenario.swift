import Dispatch
import Foundation
import NetworkQueueKit

/// What it costs to look for a duplicate of each request that is added, while so many wait.
enum DuplicateScenario {
    /// How many requests are added for a measurement.
    private static let count = 1000

    /// Measures `rounds` times at each size.
    static func run(sizes: [Int], rounds: Int) -> [DuplicateFigures] {
        _ = measure(1_000)
        return sizes.flatMap { size in (0..<rounds).map { _ in DuplicateFigures(size: size, columns: measure(size)) } }
    }

    /// Nanoseconds per added request: distinct ones and equal ones while duplicates are allowed, then, while they are
    /// not, distinct ones, such that differ in a header field alone, and equal ones, which includes cancelling the
    /// earlier.
    private static func measure(_ waiting: Int) -> [Double] {
        [
            time(waiting, allowsDuplicates: true) { request($0) },
            time(waiting, allowsDuplicates: true) { request($0 - waiting) },
            time(waiting, allowsDuplicates: false) { request($0) },
            time(waiting, allowsDuplicates: false, base: { range($0) }, adding: { range($0) }),
            time(waiting, allowsDuplicates: false) { request($0 - waiting) },
        ]
    }

    private static func time(
        _ waiting: Int, allowsDuplicates: Bool, base: (Int) -> NetworkRequest = request,
        adding: (Int) -> NetworkRequest
    ) -> Double {
        var configuration = RequestQueue.Configuration()
        configuration.allowsDuplicateRequests = allowsDuplicates
        configuration.isSuspended = true
        // Handlers would run beside the measurement, and be part of it or not as it happens.
        let callbacks = DispatchQueue(label: "benchmark.duplicates", attributes: .initiallyInactive)
        configuration.callbackQueue = callbacks
        let queue = RequestQueue(configuration: configuration, transport: InstantTransport())
        for number in 0..<waiting { queue.add(RequestOperation(base(number))) }
        let operations = (waiting..<waiting + min(count, waiting)).map { RequestOperation(adding($0)) }
        let time = QueueScenario.time(operations.count) {
            for operation in operations { queue.add(operation) }
        }
        queue.cancelAllRequests()
        callbacks.activate()
        return time
    }

    private static func request(_ number: Int) -> NetworkRequest {
        guard let url = URL(string: "http://127.0.0.1/files/\(number)") else { preconditionFailure("no URL") }
        return NetworkRequest(url)
    }

    /// All for one URL.
    private static func range(_ number: Int) -> NetworkRequest {
        var request = request(0)
        request.urlRequest.setValue("bytes=\(number)-", forHTTPHeaderField: "Range")
        return request
    }
}
