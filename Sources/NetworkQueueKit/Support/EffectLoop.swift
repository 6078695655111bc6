/// A value behind a lock, whose changes leave effects.
///
/// Effects are performed outside the lock, in the order of the changes that left them. One thread at a time does so:
/// what other threads, or the effects themselves, leave meanwhile is performed by the same thread. So effects see no
/// lock held, keep their order, and do not pile up stack frames however often one leads to another.
final class EffectLoop<Value: Sendable, Effect: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        var effects: [Effect] = []
        var isPerforming = false
    }

    private let state: Guarded<State>

    init(_ value: Value) {
        state = Guarded(State(value: value))
    }

    /// Whether a thread performs effects. When it does not, all changes so far have had theirs.
    var isPerforming: Bool { state.withLock { $0.isPerforming } }

    /// Reads the value, or changes what has no effects.
    func access<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        state.withLock { body(&$0.value) }
    }

    /// Changes the value, then has `perform` called for each effect, unless another thread is performing: then that
    /// thread does it.
    ///
    /// - Parameter body: called under the lock; it appends what is to be done.
    @discardableResult
    func modify<Result: Sendable>(
        _ body: (inout Value, inout [Effect]) -> Result, perform: (Effect) -> Void
    ) -> Result {
        let (result, mustPerform) = state.withLock { state in
            let result = body(&state.value, &state.effects)
            let mustPerform = !state.isPerforming && !state.effects.isEmpty
            if mustPerform { state.isPerforming = true }
            return (result, mustPerform)
        }
        if mustPerform { performAll(perform) }
        return result
    }

    private func performAll(_ perform: (Effect) -> Void) {
        var effects: [Effect] = []
        repeat {
            // Outside the lock, as what an effect refers to may end here, and come back.
            effects.removeAll(keepingCapacity: true)
            state.withLock { state in
                swap(&state.effects, &effects)
                state.isPerforming = !effects.isEmpty
            }
            for effect in effects {
                #if DEBUG
                    precondition(HeldLocks.count == 0, "An effect is performed under a lock, which it may need.")
                #endif
                perform(effect)
            }
        } while !effects.isEmpty
    }
}
