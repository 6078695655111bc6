import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// What is asked for before the downloads start, decided without a queue.
struct SizingPlanTests {
    private func operation(_ path: String, _ change: (inout NetworkRequest) -> Void = { _ in }) -> RequestOperation {
        var request = NetworkRequest(.test(path))
        change(&request)
        return RequestOperation(request)
    }

    private func answer(_ status: Int, length: Int? = nil, to probe: RequestOperation) -> SizeAnswer {
        var headers = HTTPHeaders()
        if let length { headers["Content-Length"] = "\(length)" }
        probe.setResponseHead(ResponseHead(statusCode: status, headers: headers, url: probe.request.url))
        return SizeAnswer(probe)
    }

    private func nextProbe(of plan: inout SizingPlan, window: Int, isSeen: Bool = false) -> RequestOperation? {
        guard let (index, operations) = plan.nextGroup(window: window) else { return nil }
        return plan.probe(for: index, operations, isWanted: true, isSeen: isSeen)
    }

    private func requiredProbe(of plan: inout SizingPlan, window: Int, isSeen: Bool = false) throws -> RequestOperation
    {
        let probe = nextProbe(of: &plan, window: window, isSeen: isSeen)
        return try #require(probe)
    }

    private func requiredGroup(
        of plan: inout SizingPlan, window: Int
    ) throws -> (index: Int, operations: [RequestOperation]) {
        let group = plan.nextGroup(window: window)
        return try #require(group)
    }

    @Test func `A plan asks once for each URL, in the order of the requests`() {
        let operations = ["a", "b", "a", "c", "b", "a"].map { operation($0) }
        var plan = SizingPlan(operations)
        #expect(plan.groups.sorted { $0.key < $1.key }.map(\.value.operations.count) == [3, 2, 1])
        let probes = (0..<4).map { _ in nextProbe(of: &plan, window: 9) }
        #expect(probes.map { $0?.request.url.path() } == ["/a", "/b", "/c", nil])
        #expect(probes.compactMap(\.self).allSatisfy { $0.request.method == "HEAD" && $0.request.isSizeProbe })
    }

    @Test func `A plan asks for the first few sizes in their order, and for the others from the end`() {
        let count = SizingPlan.orderedCount
        var plan = SizingPlan((0..<count + 3).map { operation("\($0)") })
        let paths = (0..<count + 4).map { _ in nextProbe(of: &plan, window: .max)?.request.url.path() }
        let numbers = Array(0..<count) + [count + 2, count + 1, count]
        #expect(paths == numbers.map { "/\($0)" } + [nil])
    }

    @Test func `A plan tells a size to the requests that still wait, and drops the probe when none does`() throws {
        let operations = [operation("a"), operation("a"), operation("b")]
        var plan = SizingPlan(operations)
        let probe = try requiredProbe(of: &plan, window: 1)
        #expect(plan.forget(operations[0]) == nil && plan.forget(operations[0]) == nil)
        let taken = plan.take(answer(200, length: 7, to: probe), from: probe, isSeen: false)
        #expect(taken.result?.operations.map(\.id) == [operations[1].id])
        let other = try requiredProbe(of: &plan, window: 1)
        #expect(plan.forget(operations[2]) === other)
    }

    @Test func `A plan leaves out requests of known size, with a body, other than GET, or for a part`() {
        let operations = [
            operation("known") { $0.expectedDownloadSize = 3 }, operation("body") { $0.body = .data(Data()) },
            operation("get with body") {
                $0.method = "GET"
                $0.body = .data(Data([1]))
            },
            operation("head") { $0.method = "HEAD" }, operation("part") { $0.headers["Range"] = "bytes=0-1" },
        ]
        #expect(SizingPlan(operations).groups.isEmpty)
    }

    @Test func `A plan sends no more probes at a time than the window is wide`() throws {
        var plan = SizingPlan((0..<5).map { operation("\($0)") })
        let first = try requiredProbe(of: &plan, window: 2)
        #expect(nextProbe(of: &plan, window: 2) != nil && nextProbe(of: &plan, window: 2) == nil)
        let taken = plan.take(answer(200, length: 7, to: first), from: first, isSeen: false)
        #expect(taken.result?.completedCount == 1 && taken.result?.operations.count == 1 && taken.followUp == nil)
        #expect(nextProbe(of: &plan, window: 2)?.request.url.path() == "/2")
    }

    @Test func `A plan asks for the first byte if HEAD is refused with 403, and takes that answer`() throws {
        var plan = SizingPlan([operation("a"), operation("a")])
        let probe = try requiredProbe(of: &plan, window: 1)
        let taken = plan.take(answer(403, to: probe), from: probe, isSeen: false)
        let followUp = try #require(taken.followUp)
        #expect(taken.result == nil && followUp.request.method == "GET")
        #expect(plan.take(answer(405, to: followUp), from: followUp, isSeen: false).result?.operations.count == 2)
        #expect(nextProbe(of: &plan, window: 1) == nil)
    }

    @Test func `A plan does not ask again for a size that is no longer wanted`() throws {
        let operations = ["a", "b", "c"].map { operation($0) }
        var plan = SizingPlan(operations)
        #expect(plan.forget(operations[1]) == nil)
        let probe = try requiredProbe(of: &plan, window: 9)
        #expect(nextProbe(of: &plan, window: 9)?.request.url.path() == "/c" && plan.completedCount == 1)
        #expect(plan.forget(operations[0]) === probe)
        #expect(plan.take(answer(403, to: probe), from: probe, isSeen: false).followUp == nil)
    }

    @Test func `A plan leaves out an unwanted group, and is not over before that is known`() throws {
        var plan = SizingPlan([operation("a"), operation("b")])
        let first = try requiredGroup(of: &plan, window: 2)
        #expect(nextProbe(of: &plan, window: 1) == nil)
        let probe = try requiredProbe(of: &plan, window: 2)
        #expect(plan.take(answer(200, to: probe), from: probe, isSeen: false).result != nil)
        #expect(!plan.isDone)
        let unwanted = plan.probe(for: first.index, first.operations, isWanted: false, isSeen: false)
        #expect(unwanted == nil && plan.completedCount == 2)
        #expect(plan.isDone)
    }

    @Test func `A plan ignores what was decided about the group of another plan`() throws {
        var former = SizingPlan([operation("a")])
        let stale = try requiredGroup(of: &former, window: 1)
        var plan = SizingPlan([operation("b")])
        let group = try requiredGroup(of: &plan, window: 1)
        #expect(plan.probe(for: stale.index, stale.operations, isWanted: false, isSeen: false) == nil && !plan.isDone)
        let wanted = plan.probe(for: group.index, group.operations, isWanted: true, isSeen: false)
        let probe = try #require(wanted)
        #expect(plan.take(answer(200, to: probe), from: probe, isSeen: false).result != nil && plan.isDone)
    }

    @Test func `A plan takes each answer once`() throws {
        var plan = SizingPlan([operation("a")])
        let probe = try requiredProbe(of: &plan, window: 1)
        #expect(plan.take(answer(200, to: probe), from: probe, isSeen: false).result != nil)
        #expect(plan.take(answer(200, to: probe), from: probe, isSeen: false).result == nil)
    }

    @Test(arguments: [false, true])
    func `A plan shows a probe as it is sent if adapters will see it`(isSeen: Bool) throws {
        var plan = SizingPlan([operation("a") { $0.headers["X-Own"] = "1" }])
        let probe = try requiredProbe(of: &plan, window: 1, isSeen: isSeen)
        #expect((probe.request.headers["Accept-Encoding"] == "identity") == isSeen)
        #expect(probe.request.headers["X-Own"] == "1" && probe.request.retryPolicy?.maxRetries == 0)
    }
}
