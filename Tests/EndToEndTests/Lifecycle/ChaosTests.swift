import Dispatch
import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// A server that fails three times in ten must not cost a single byte.
@Suite(.timeLimit(.minutes(10)))
struct ChaosTests {
    /// What the delegate has been told, as far as order and count matter.
    private final class Witness: NetworkQueueDelegate, Sendable {
        struct Notes {
            var starts: [RequestOperation.ID: Int] = [:]
            var finishes: [RequestOperation.ID: Int] = [:]
            var failures: [NetworkError] = []
            var retries = 0
            var drains = 0
            var lastFraction = 0.0
            var hasGoneBack = false
            var unstarted = 0
        }

        let notes = Guarded(Notes())

        func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation) {
            notes.withLock { $0.starts[operation.id, default: 0] += 1 }
        }

        func networkQueue(
            _ queue: NetworkQueue, willRetry operation: RequestOperation, after delay: Duration,
            because error: NetworkError
        ) {
            notes.withLock { $0.retries += 1 }
        }

        func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
            notes.withLock { notes in
                notes.finishes[operation.id, default: 0] += 1
                if notes.starts[operation.id] != 1 { notes.unstarted += 1 }
            }
        }

        func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
            notes.withLock { $0.failures.append(error) }
        }

        func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) {
            notes.withLock { notes in
                if progress.fractionCompleted < notes.lastFraction { notes.hasGoneBack = true }
                notes.lastFraction = progress.fractionCompleted
            }
        }

        func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) {
            notes.withLock { $0.drains += 1 }
        }
    }

    #if canImport(Glibc)
        @Test func `Five thousand downloads arrive whole from a server that fails three times in ten`() async throws {
            try await download(5000, over: .curl, faults: ChaosServer.Fault.allCases)
        }
    #endif

    @Test(arguments: TransportKind.allCases)
    func `Three hundred downloads of known sizes arrive whole from a server that fails three times in ten`(
        kind: TransportKind
    ) async throws {
        try await download(300, over: kind, faults: ChaosServer.Fault.allCases, isAccurate: true)
    }

    private func download(
        _ count: Int, over kind: TransportKind, faults: [ChaosServer.Fault], isAccurate: Bool = false
    ) async throws {
        let seed = UInt64.random(in: .min ... .max)
        print("ChaosTests: \(count) over \(kind.rawValue), seed \(seed)")
        var random = SplitMix64(seed: seed)
        let contents = (0..<count).map { number in
            GeneratedContent(size: Int64.random(in: 0...20_000, using: &random), seed: seed &+ UInt64(number))
        }
        let chaos = try ChaosServer(seed: random.next(), contents: contents, faults: faults)
        var transport = TransportConfiguration()
        transport.idleTimeout = .milliseconds(500)
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = isAccurate
        configuration.cancelsAllOnFailure = false
        configuration.maxConcurrentRequestCount = 16
        configuration.progressInterval = .milliseconds(1)
        configuration.retryPolicy = .standard
        // Three in ten, fifteen times in a row: one run in seventy million requests.
        configuration.retryPolicy.maxRetries = 15
        configuration.retryPolicy.backoff = .exponential(base: .milliseconds(5), maximum: .milliseconds(100))
        configuration.retryPolicy.maxRetryAfter = .milliseconds(2)
        let queue = NetworkQueue(
            configuration: configuration, transport: try kind.makeTransport(transport),
            delegateQueue: DispatchQueue(label: "ChaosTests.callbacks"))
        let witness = Witness()
        queue.delegate = witness
        let folder = try TemporaryFolder()
        let operations = contents.indices.map { number in
            var request = NetworkRequest(chaos.server.url("/\(number)"))
            if number % 4 == 0 { request.destination = .file(folder.file("\(number)")) }
            return queue.add(request)
        }
        let clock = ContinuousClock()
        let start = clock.now
        let summary = await queue.run()
        let duration = clock.now - start

        #expect(summary.counts == .init(finished: count), "\(summary.firstFailure?.error.description ?? "")")
        for (operation, content) in zip(operations, contents) {
            if let file = operation.fileURL {
                #expect(try content.matches(contentsOf: file))
            } else {
                #expect(operation.data.map { Array($0) } == content.bytes(in: 0..<content.size))
            }
        }
        let total = contents.reduce(0) { $0 + $1.size }
        let notes = witness.notes.withLock { $0 }
        #expect(queue.progress.download.transferred == total && queue.progress.download.expected == total)
        #expect(!notes.hasGoneBack && notes.lastFraction == 1 && notes.drains == 1)
        #expect(notes.starts.count == count && notes.starts.values.allSatisfy { $0 == 1 })
        #expect(notes.finishes.count == count && notes.finishes.values.allSatisfy { $0 == 1 })
        #expect(notes.failures.isEmpty && notes.unstarted == 0)
        let made = chaos.faults.withLock { $0 }
        #expect(made.count == faults.count || count < 5000, "\(made)")
        #expect(notes.retries == operations.reduce(0) { $0 + $1.attempts - 1 } && notes.retries > count / 5)
        print("ChaosTests: \(duration), \(notes.retries) retries, \(made)")
    }
}
