import Foundation
import NetworkQueueKit
import TestSupport

/// Writes down what it is told, and does as the test says.
final class RecordingSink: DownloadSink {
    /// `begin 200`, `write`, `finish`, `abandon`, in order.
    let events = Gathering<String>()
    private let received = Guarded(Data())
    private let isBusy = Guarded(false)
    private let onEvent: @Sendable (String) async throws -> Void
    private let answer: Bool

    init(mayStartOver answer: Bool = true, onEvent: @escaping @Sendable (String) async throws -> Void = { _ in }) {
        self.answer = answer
        self.onEvent = onEvent
    }

    /// The content since the latest beginning.
    var content: Data { received.withLock { $0 } }

    func begin(_ head: ResponseHead) async throws {
        received.withLock { $0 = Data() }
        try await note("begin \(head.statusCode)")
    }

    func write(_ chunk: Data) async throws {
        received.withLock { $0.append(chunk) }
        try await note("write")
    }

    func finish() async throws { try await note("finish") }
    func mayStartOver() -> Bool { answer }
    func abandon() async { try? await note("abandon") }

    private func note(_ event: String) async throws {
        let overlaps = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return isBusy
        }
        defer { isBusy.withLock { $0 = false } }
        events.add(overlaps ? "overlap" : event)
        try await onEvent(event)
    }
}
