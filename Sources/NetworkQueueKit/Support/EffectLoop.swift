/// A value behind a lock, whose changes produce effects.
///
/// Effects are performed outside the lock, in the order of the changes that produced them, by one thread at a time.
/// That thread also performs the effects that other threads, or the effects themselves, add meanwhile. So effects run
/// without the lock, keep their order, and do not pile up stack frames when one leads to another.
final class EffectLoop<Value: Sendable, Effect: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        var effects: [Effect] = []
        var isPerforming = false

        /// Moves the effects into an empty array, for the calling thread to perform.
        mutating func takeEffects(into empty: inout [Effect]) {
            swap(&effects, &empty)
            isPerforming = !empty.isEmpty
        }
    }

    private let state: Guarded<State>

    init(_ value: Value) {
        state = Guarded(State(value: value))
    }

    /// Whether a thread is performing effects. If not, the effects of all changes so far have been performed.
    var isPerforming: Bool { state.withLock { $0.isPerforming } }

    /// Reads the value, or makes a change that has no effects.
    func access<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        state.withLock { body(&$0.value) }
    }

    /// Changes the value, then calls `perform` for each effect, unless another thread is performing effects: then that
    /// thread performs these too.
    ///
    /// - Parameter body: called under the lock. It appends the effects of the change.
    @discardableResult
    func modify<Result: Sendable>(
        _ body: (inout Value, inout [Effect]) -> Result, perform: (Effect) -> Void
    ) -> Result {
        var effects: [Effect] = []
        let result = state.withLock { state in
            let result = body(&state.value, &state.effects)
            if !state.isPerforming, !state.effects.isEmpty { state.takeEffects(into: &effects) }
            return result
        }
        while !effects.isEmpty {
            effects.reverse()
            // A copy would cost more. They are released outside the lock, because what an effect refers to may be
            // deinitialized here and call back.
            while let effect = effects.popLast() {
                #if DEBUG
                    precondition(HeldLocks.count == 0, "An effect runs while a lock is held that it may need.")
                #endif
                perform(effect)
            }
            state.withLock { $0.takeEffects(into: &effects) }
        }
        return result
    }
}
