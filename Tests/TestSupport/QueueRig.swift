import Dispatch
import Foundation
import NetworkQueueKit
import NetworkQueueTesting

/// A queue over a scripted transport and a clock that stands still, with a recorder as its delegate.
package struct QueueRig: Sendable {
    private static let key = DispatchSpecificKey<Bool>()

    package let transport: ScriptedTransport
    package let clock: ManualClock
    /// The delegate queue.
    package let callbacks: DispatchQueue
    package let recorder: DelegateRecorder
    package let queue: NetworkQueue

    /// Creates a queue that does no sizing unless `configure` says so.
    ///
    /// - Parameters:
    ///   - redirect: what the delegate makes of a redirect.
    ///   - credential: what the delegate answers to a challenge.
    ///   - onEvent: called inside each callback of the delegate.
    package init(
        _ transport: ScriptedTransport = ScriptedTransport(),
        configure: (inout NetworkQueue.Configuration) -> Void = { _ in },
        redirect: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 },
        credential: @escaping @Sendable (AuthenticationChallenge) -> URLCredential? = { _ in nil },
        onEvent: @escaping @Sendable (NetworkQueue, NetworkQueue.Event) -> Void = { _, _ in }
    ) {
        self.transport = transport
        clock = ManualClock()
        callbacks = DispatchQueue(label: "QueueRig.callbacks")
        callbacks.setSpecific(key: Self.key, value: true)
        recorder = DelegateRecorder(redirect: redirect, credential: credential, onEvent: onEvent)
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = false
        configure(&configuration)
        queue = NetworkQueue(
            configuration: configuration, transport: transport, delegateQueue: callbacks, timekeeper: clock)
        queue.delegate = recorder
    }

    /// Whether the calling code runs on the delegate queue of some rig.
    package static var isOnCallbackQueue: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Adds GETs for `count` paths `/0`, `/1`, ….
    @discardableResult
    package func add(_ count: Int) -> [RequestOperation] {
        (0..<count).map { queue.add(.test("\($0)")) }
    }

    /// Waits until what has happened has had all its effects, callbacks among them: the thread of an exchange may still
    /// be at them.
    package func settle() {
        repeat {
            while queue.isPerformingEffects { sched_yield() }
            callbacks.sync {}
        } while queue.isPerformingEffects || queue.hasCallbacks
    }

    /// Moves the time on, when all before has had its effects; what falls due has had its own when it returns.
    package func advance(by duration: Duration) {
        settle()
        clock.advance(by: duration)
        settle()
    }

    /// How many calls of the clock are to come.
    package var scheduledCount: Int {
        settle()
        return clock.scheduledCount
    }

    /// Adds a request that succeeds at once to a started queue and waits for the drain that it brings, so that whatever
    /// was posted before has been delivered.
    package func flush() async {
        transport.setScript { _ in .ok() }
        let drains = recorder.summaries.count
        queue.add(.test("flush"))
        await recorder.waitForDrain(drains + 1)
    }
}

extension URL {
    /// `http://host.test/path`.
    package static func test(_ path: String) -> URL {
        guard let url = URL(string: "http://host.test/\(path)") else { preconditionFailure("not a path: \(path)") }
        return url
    }
}

/// Runs blocking code on a thread of its own, so that it cannot starve the test runner's.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
