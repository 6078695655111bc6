import Dispatch
import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport

/// A queue of either kind over a scripted transport and a clock that stands still.
struct EndpointRig: Sendable {
    private static let key = DispatchSpecificKey<Bool>()

    let transport: ScriptedTransport
    let clock = ManualClock()
    let queue: any RequestQueueing

    /// Creates a queue that has been started.
    init(_ kind: QueueKind, _ transport: ScriptedTransport = ScriptedTransport(), limit: Int = 0) {
        self.transport = transport
        let callbacks = DispatchQueue(label: "EndpointRig.callbacks")
        callbacks.setSpecific(key: Self.key, value: true)
        switch kind {
        case .requestQueue:
            var configuration = RequestQueue.Configuration()
            configuration.maxConcurrentRequestCount = limit
            configuration.callbackQueue = callbacks
            queue = RequestQueue(configuration: configuration, transport: transport, timekeeper: clock)
        case .networkQueue:
            var configuration = NetworkQueue.Configuration()
            configuration.maxConcurrentRequestCount = limit
            configuration.showsAccurateProgress = false
            configuration.cancelsAllOnFailure = false
            let queue = NetworkQueue(
                configuration: configuration, transport: transport, delegateQueue: callbacks, timekeeper: clock)
            queue.go()
            self.queue = queue
        }
    }

    /// Creates a queue whose server answers everything with `text`.
    init(_ kind: QueueKind, answering text: String, status: Int = 200) {
        self.init(kind, ScriptedTransport { _ in .respond(status: status, headers: [:], body: Data(text.utf8)) })
    }

    /// Whether the calling code runs on the callback queue of some rig.
    static var isOnCallbackQueue: Bool { DispatchQueue.getSpecific(key: key) == true }
}
