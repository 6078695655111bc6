import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Some 10,000 random operations for each regime, each answered by the scheduler as by the naive model. `NQK_SEED`
/// repeats a run.
struct SchedulerRandomizedTests {
    private static let seed =
        ProcessInfo.processInfo.environment["NQK_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<(1 << 32))

    @Test(arguments: SchedulerRegime.all)
    func `The scheduler does what the naive model does`(regime: SchedulerRegime) {
        print("RequestScheduler, \(regime.name): NQK_SEED=\(Self.seed)")
        var driver = SchedulerDriver(regime: regime, seed: Self.seed)
        for step in 0..<regime.steps {
            let operation = driver.step()
            if let difference = driver.difference {
                Issue.record("\(regime.name), NQK_SEED=\(Self.seed), step \(step), \(operation): \(difference)")
                return
            }
        }
    }
}

/// What a randomized run is made of.
struct SchedulerRegime: Sendable, CustomTestStringConvertible {
    var name: String
    var steps = 20_000
    /// About how many elements there are.
    var population = 12
    var hosts: [String?] = [nil, "a", "b", "c"]
    var limitsHosts = true
    var holdsHosts = true
    var modes: [QueueMode] = [.firstInFirstOut, .lastInFirstOut]
    var stages: [Int] = [0]
    var groups: [UInt32] = [0]

    var testDescription: String { name }

    static let all = [
        SchedulerRegime(name: "no rules about hosts", limitsHosts: false, holdsHosts: false),
        SchedulerRegime(name: "limits per host", holdsHosts: false),
        SchedulerRegime(name: "blocked hosts", limitsHosts: false),
        SchedulerRegime(name: "all rules, few elements", population: 5, hosts: ["a", "b"]),
        SchedulerRegime(name: "all rules, many hosts", population: 30, hosts: [nil] + (0..<19).map { "host \($0)" }),
        SchedulerRegime(
            name: "order by size, no rules about hosts", limitsHosts: false, holdsHosts: false,
            modes: [.smallestFirst, .largestFirst]),
        SchedulerRegime(name: "all modes, all rules about hosts", population: 20, modes: QueueMode.allCases),
        SchedulerRegime(name: "two stages", limitsHosts: false, holdsHosts: false, stages: [0, 0, 1]),
        SchedulerRegime(
            name: "many stages, all rules, all modes", steps: 10_000, population: 40,
            hosts: [nil] + (0..<9).map { "host \($0)" },
            modes: QueueMode.allCases, stages: [-1, 0, 0, 1, 2, 3, .max]),
        SchedulerRegime(
            name: "stages that come and go", population: 3, modes: QueueMode.allCases, stages: [.min, 0, 7]),
        SchedulerRegime(name: "groups alone", limitsHosts: false, holdsHosts: false, groups: [0, 1, 2, 3]),
        SchedulerRegime(
            name: "groups, stages and hosts, all modes", population: 30, modes: QueueMode.allCases, stages: [0, 0, 1],
            groups: [0, 1, 1, 2, 3, 4]),
    ]
}
