import Foundation

extension NetworkQueue {
    /// Traps when `delegate` belongs to an actor that `delegateQueue`, which this is called on, does not run on: its methods would be
    /// called off their actor without a sign of it. Called once for each delegate that is set, before its first call.
    func vet(_ delegate: any NetworkQueueDelegate) {
        guard Self.mayCall(delegate) else {
            // Not a precondition: its text would be missing in release builds.
            fatalError(
                """
                The delegate of a NetworkQueue, \(type(of: delegate)), conforms to NetworkQueueDelegate on an actor, such as @MainActor, \
                but the queue's delegateQueue, "\(delegateQueue.label)", does not run on that actor. Create the queue with \
                `delegateQueue: .main` for a @MainActor delegate, or make the conformance nonisolated.
                """)
        }
        let id = ObjectIdentifier(delegate)
        // Not by a reference, which may be the last to another delegate, whose `deinit` may call the queue.
        state.withLock { state in
            if state.delegate.id == id { state.delegate.isVetted = true }
        }
    }

    /// Whether the calling code runs on the actor that the conformance of `delegate` is isolated to, or that conformance has none.
    static func mayCall(_ delegate: AnyObject) -> Bool {
        // A cast to a protocol looks whether a conformance that is isolated to an actor may be used here.
        if (delegate as Any) is any NetworkQueueDelegate { return true }
        // On Linux it knows the main actor by the main thread alone. Under an asynchronous `main` the main queue runs on other threads,
        // where the main actor cannot be told from another one.
        return MainRunLoop.isInMainQueue && !Thread.isMainThread
    }
}
