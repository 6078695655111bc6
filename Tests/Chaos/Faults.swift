import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// Collects what is not as the documentation promises, and prints it with the seed of the round.
final class Faults: Sendable {
    private static let maximumCount = 50

    private let state = Guarded((seed: UInt64(0), count: 0))

    func begin(_ seed: UInt64) { state.withLock { $0.seed = seed } }

    func report(_ text: @autoclosure () -> String) {
        let (seed, count) = state.withLock { state in
            state.count += 1
            return (state.seed, state.count)
        }
        if count <= Self.maximumCount { say("FAULT, seed \(seed): \(text())") }
    }

    func expect(_ isTrue: Bool, _ text: @autoclosure () -> String) {
        if !isTrue { report(text()) }
    }

    var count: Int { state.withLock { $0.count } }
    var isEmpty: Bool { count == 0 }
}

/// Writes a line at once, so that it is there if the process crashes.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// The same seed gives the same numbers.
struct Dice: RandomNumberGenerator {
    private var generator: SplitMix64

    init(_ seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func next() -> UInt64 { generator.next() }

    mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[number(0..<choices.count)] }
}

/// Dice that several threads throw.
final class SharedDice: Sendable {
    private let dice: Guarded<Dice>

    init(_ seed: UInt64) { dice = Guarded(Dice(seed)) }

    func roll<Result: Sendable>(_ body: @Sendable (inout Dice) -> Result) -> Result {
        dice.withLock { body(&$0) }
    }
}

/// Polls until the condition is met; returns `false` after the time.
func eventually(within seconds: Double, _ isMet: () -> Bool) async -> Bool {
    let end = ContinuousClock().now + .seconds(seconds)
    while !isMet() {
        guard ContinuousClock().now < end else { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}
