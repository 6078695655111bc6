import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct EffectLoopTests {
    @Test func `Effects of changes from many threads are performed in the order of the changes, one at a time`() {
        let loop = EffectLoop<Int, Int>(0)
        let performed = Guarded<[Int]>([])
        let activeCount = Atomic(0)
        let hasOverlapped = Atomic(false)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1_250 {
                loop.modify { value, effects in
                    value += 1
                    effects.append(value)
                } perform: { number in
                    let count = activeCount.add(1, ordering: .relaxed).newValue
                    if count > 1 { hasOverlapped.store(true, ordering: .relaxed) }
                    performed.withLock { $0.append(number) }
                    activeCount.subtract(1, ordering: .relaxed)
                }
            }
        }
        #expect(performed.withLock { $0 } == Array(1...10_000))
        #expect(hasOverlapped.load(ordering: .relaxed) == false)
    }

    @Test func `An effect is performed outside the lock, after the change that left it`() async {
        let loop = EffectLoop<Int, String>(0)
        // On a thread of its own, since a second lock of the same thread would have no end.
        let seen = await onThread {
            let seen = Guarded<[Int]>([])
            loop.modify { value, effects in
                value = 7
                effects.append("effect")
            } perform: { _ in
                seen.withLock { $0.append(loop.access { $0 }) }
            }
            return seen.withLock { $0 }
        }
        #expect(seen == [7])
    }

    @Test func `A change without effects performs nothing, and returns what its body returns`() {
        let loop = EffectLoop<Int, String>(3)
        let result = loop.modify { value, _ in
            value += 1
            return "changed"
        } perform: { _ in
            Issue.record("There is no effect.")
        }
        #expect(result == "changed" && loop.access { $0 } == 4)
    }

    @Test func `A change inside an effect appends its effects behind those that wait`() {
        let loop = EffectLoop<Int, String>(0)
        var performed: [String] = []
        func perform(_ effect: String) {
            performed.append(effect)
            guard effect == "a" else { return }
            loop.modify({ _, effects in effects += ["c", "d"] }, perform: perform)
            #expect(performed == ["a"], "A re-entrant change performs nothing itself.")
        }
        loop.modify({ _, effects in effects += ["a", "b"] }, perform: perform)
        #expect(performed == ["a", "b", "c", "d"])
    }

    @Test func `A hundred thousand effects that lead to one another need one stack frame`() {
        let loop = EffectLoop<Int, Int>(0)
        var (depth, maximumDepth, count) = (0, 0, 0)
        func perform(_ number: Int) {
            depth += 1
            maximumDepth = max(maximumDepth, depth)
            count += 1
            // A loop that nests would use up the stack, and with it the process.
            if number < 100_000, depth == 1 {
                loop.modify({ _, effects in effects.append(number + 1) }, perform: perform)
            }
            depth -= 1
        }
        loop.modify({ _, effects in effects.append(1) }, perform: perform)
        #expect(count == 100_000 && maximumDepth == 1)
    }

    @Test func `A thread leaves its effects to the thread that is performing, and does not wait for it`() async {
        let loop = EffectLoop<Int, String>(0)
        let performed = Gathering<String>()
        let (hasBegun, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let ownEffects = await onThread {
            DispatchQueue.global().async {
                loop.modify({ _, effects in effects.append("first") }) { effect in
                    performed.add(effect)
                    guard effect == "first" else { return }
                    hasBegun.signal()
                    mayGoOn.wait()
                }
            }
            hasBegun.wait()
            let ownEffects = Guarded<[String]>([])
            loop.modify({ _, effects in effects.append("second") }) { effect in
                ownEffects.withLock { $0.append(effect) }
            }
            mayGoOn.signal()
            return ownEffects.withLock { $0 }
        }
        #expect(ownEffects.isEmpty)
        #expect(await performed.wait(count: 2) == ["first", "second"])
    }

    @Test func `The next change performs its effects itself once all have been performed`() {
        let loop = EffectLoop<Int, Int>(0)
        var performed: [Int] = []
        for number in 0..<3 {
            loop.modify({ _, effects in effects.append(number) }) { performed.append($0) }
            #expect(performed.count == number + 1)
        }
    }

    // MARK: The last reference

    /// Calls back from its deinit.
    private final class Token: Sendable {
        let onEnd: @Sendable () -> Void

        init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

        deinit { onEnd() }
    }

    @Test func `An object whose last reference is an effect may change the value as it ends`() async {
        let loop = EffectLoop<Int, Token?>(0)
        let log = await onThread {
            let log = Guarded<[String]>([])
            let perform: @Sendable (Token?) -> Void = { token in
                log.withLock { $0.append(token == nil ? "nothing" : "token") }
            }
            loop.modify(
                { _, effects in
                    effects.append(
                        Token {
                            loop.modify(
                                { value, effects in
                                    value += 1
                                    effects.append(nil)
                                }, perform: perform)
                        })
                }, perform: perform)
            return log.withLock { $0 } + ["value \(loop.access { $0 })"]
        }
        #expect(log == ["token", "nothing", "value 1"])
    }

    @Test func `An effect is released once it has been performed, not when the next change comes`() {
        let loop = EffectLoop<Int, Token>(0)
        let endCount = Guarded(0)
        loop.modify({ _, effects in
            for _ in 0..<3 { effects.append(Token { endCount.withLock { $0 += 1 } }) }
        }) { _ in }
        #expect(endCount.withLock { $0 } == 3)
    }
}
