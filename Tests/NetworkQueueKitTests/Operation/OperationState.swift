import Foundation
import NetworkQueueKit

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
