import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// A receiver that writes down what it is told, holds the transport to its contract, and can be waited for.
///
/// A call that overlaps another, comes out of order or after the completion is recorded as an issue at once.
final class EventRecorder: ExchangeReceiver {
    /// The most of a body that is kept; what follows only counts for length and checksum.
    static let keptBodySize = 1 << 20

    private struct State {
        var transcript = Transcript()
        var isInCall = false
        var waiters: [Int: Waiter] = [:]
        var latestWaiter = 0
    }

    private struct Waiter {
        let isMet: @Sendable (Transcript) -> Bool
        let continuation: CheckedContinuation<Transcript, Never>
    }

    private let state = Guarded(State())
    private let onHead: @Sendable (ResponseHead) -> ExchangeDisposition
    private let onBody: @Sendable (UnsafeRawBufferPointer) -> ExchangeDisposition
    private let onCompletion: @Sendable () -> Void

    /// Makes a recorder; the closures run inside the callbacks, so that a test can act from there.
    init(
        onHead: @escaping @Sendable (ResponseHead) -> ExchangeDisposition = { _ in .proceed },
        onBody: @escaping @Sendable (UnsafeRawBufferPointer) -> ExchangeDisposition = { _ in .proceed },
        onCompletion: @escaping @Sendable () -> Void = {}
    ) {
        self.onHead = onHead
        self.onBody = onBody
        self.onCompletion = onCompletion
    }

    /// Everything so far.
    var transcript: Transcript { state.withLock { $0.transcript } }

    /// Waits for the completion.
    func outcome() async -> Transcript {
        await wait { $0.isComplete }
    }

    /// Waits until what was received meets a condition. A test that runs out of time gets what there is, and an issue.
    @discardableResult
    func wait(until isMet: @escaping @Sendable (Transcript) -> Bool) async -> Transcript {
        let number = state.withLock { state in
            state.latestWaiter += 1
            return state.latestWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let transcript = state.withLock { state -> Transcript? in
                    if isMet(state.transcript) || Task.isCancelled { return state.transcript }
                    state.waiters[number] = Waiter(isMet: isMet, continuation: continuation)
                    return nil
                }
                if let transcript { continuation.resume(returning: transcript) }
            }
        } onCancel: {
            let (waiter, transcript) = state.withLock { ($0.waiters.removeValue(forKey: number), $0.transcript) }
            guard let waiter else { return }
            Issue.record("gave up waiting; so far: \(transcript)")
            waiter.continuation.resume(returning: transcript)
        }
    }

    // MARK: ExchangeReceiver

    func exchangeDidSend(totalBytes: Int64) {
        call("exchangeDidSend", { $0.didSend(totalBytes) }, then: {})
    }

    func exchangeDidReceive(head: ResponseHead) -> ExchangeDisposition {
        call("exchangeDidReceive(head:)", { $0.didReceive(head) }, then: { onHead(head) })
    }

    func exchangeDidReceive(body: UnsafeRawBufferPointer) -> ExchangeDisposition {
        call("exchangeDidReceive(body:)", { $0.didReceive(body) }, then: { onBody(body) })
    }

    func exchangeDidComplete(error: URLError?) {
        call("exchangeDidComplete", { $0.didComplete(error) }, then: onCompletion)
    }

    private func call<Result: Sendable>(
        _ name: String, _ record: (inout Transcript) -> String?, then act: () -> Result
    ) -> Result {
        let (overlaps, violation) = state.withLock { state in
            defer { state.isInCall = true }
            return (state.isInCall, record(&state.transcript))
        }
        if overlaps { Issue.record("\(name) overlaps another call") }
        if let violation { Issue.record("\(name) \(violation)") }
        let result = act()
        let (transcript, ready) = state.withLock { state in
            state.isInCall = false
            let ready = state.waiters.filter { $0.value.isMet(state.transcript) }
            for number in ready.keys { state.waiters[number] = nil }
            return (state.transcript, ready.values.map(\.continuation))
        }
        for continuation in ready { continuation.resume(returning: transcript) }
        return result
    }
}
