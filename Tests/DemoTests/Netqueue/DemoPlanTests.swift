import Testing

@testable import netqueue

struct DemoPlanTests {
    private let plan = DemoPlan(count: 240)

    @Test func `The demo has small and large files, each with its own path`() {
        #expect(plan.files.count == 240)
        #expect(plan.files.contains { $0.size < 64 << 10 })
        #expect(plan.files.contains { $0.size > 8 << 20 })
        #expect(plan.files.allSatisfy { $0.size >= 1 << 10 })
        #expect(Set(plan.files.map(\.path)).count == 240)
    }

    @Test func `Some files of the demo do not disclose their size`() {
        for disclosure in [DemoFile.Disclosure.full, .refusingHEAD, .chunked, .untilClose] {
            #expect(plan.files.contains { $0.disclosure == disclosure })
        }
    }

    @Test func `The demo has the same files every time`() {
        #expect(DemoPlan(count: 240).files == plan.files)
    }

    @Test(arguments: [Double.leastNonzeroMagnitude, 1e-300, 1e-9, 86_400])
    func `The demo has a pace for any time`(seconds: Double) throws {
        let pace = try #require(plan.pace(seconds: seconds, connections: 6))
        #expect(plan.files.allSatisfy { pace($0) > 0 })
    }

    @Test(arguments: [0.1, 1, 10, 60], [1, 6, 100])
    func `The demo's pace keeps it within the requested time`(seconds: Double, connections: Int) throws {
        let pace = try #require(plan.pace(seconds: seconds, connections: connections))
        let times = plan.files.map { Double($0.size) / Double(pace($0)) }
        #expect(times.reduce(0, +) / Double(connections) <= seconds)
        #expect(times.allSatisfy { $0 <= seconds / 2 })
        #expect(plan.pace(seconds: 0, connections: connections) == nil)
    }
}
