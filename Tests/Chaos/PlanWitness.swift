import NetworkQueueKit

/// Answers what a queue asks before its first transfer, and checks what it says.
final class PlanWitness: Sendable {
    private let shared: SharedDice
    private let faults: Faults

    init(seed: UInt64, _ faults: Faults) { (shared, self.faults) = (SharedDice(seed), faults) }

    /// Answers after a while. Seldom all is canceled.
    func decide(_ plan: NetworkQueue.Plan) async -> NetworkQueue.PlanDecision {
        check(plan)
        let roll = shared.roll { $0.number(0..<8) }
        if roll < 4 { try? await Task.sleep(for: .milliseconds(roll)) }
        return roll == 7 ? .cancel : .start(without: plan.largest.prefix(roll / 2).map(\.id))
    }

    /// Answers at once.
    func starts(_ plan: NetworkQueue.Plan) -> Bool {
        check(plan)
        return !shared.roll { $0.isOne(in: 8) }
    }

    func check(_ plan: NetworkQueue.Plan) {
        faults.expect(
            plan.requestCount > 0 && plan.requestCounts.values.reduce(0, +) == plan.requestCount
                && plan.presentBytes <= plan.knownBytes && plan.largest.count <= min(10, plan.requestCount)
                && plan.unknownSizeCount <= plan.requestCount && plan.isComplete && plan.unreadCount == 0,
            "a plan says \(plan)")
    }
}
