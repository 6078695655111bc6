import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport

/// Operations that are in no queue of the library, over a scripted transport and a clock that stands still.
struct StandaloneRig: Sendable {
    let transport: ScriptedTransport
    let clock = ManualClock()
    /// Such as `/a ok` and `/b cancelled`, as the completion handlers were called.
    let ends = Gathering<String>()

    init(_ transport: ScriptedTransport = ScriptedTransport()) {
        self.transport = transport
    }

    func make(_ path: String) -> RequestOperation {
        let operation = RequestOperation(NetworkRequest(.test(path)))
        operation.setStandalone(transport: transport, timekeeper: clock)
        operation.completionHandler = { [ends] _, _, error in
            ends.add("/\(path) \(error.map { "\($0.code)" } ?? "ok")")
        }
        return operation
    }
}

extension RequestOperation {
    /// The five states of an `Operation` that hold now.
    var states: Set<OperationState> {
        var states: Set<OperationState> = []
        if isReady { states.insert(.ready) }
        if isExecuting { states.insert(.executing) }
        if isFinished { states.insert(.finished) }
        if isCancelled { states.insert(.cancelled) }
        if isAsynchronous { states.insert(.asynchronous) }
        return states
    }
}

enum OperationState {
    case ready, executing, finished, cancelled, asynchronous
}
