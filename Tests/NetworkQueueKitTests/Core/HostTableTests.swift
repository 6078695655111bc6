import Testing

@testable import NetworkQueueKit

struct HostTableTests {
    @Test
    func `A host is forgotten when its last request leaves`() {
        var table = HostTable()
        let first = table.enter("a")
        let second = table.enter("a")
        #expect(first == second)
        table.leave(first)
        #expect(table.count == 1)
        table.leave(second)
        #expect(table.count == 0)
    }

    @Test
    func `A blocked host is remembered without requests until it is unblocked`() {
        var table = HostTable()
        #expect(table.block("a") != nil)
        #expect(table.block("a") == nil)
        #expect(table.isRuleInForce)
        let id = table.enter("a")
        #expect(!table.mayStart(id))
        table.leave(id)
        #expect(table.count == 1)
        #expect(table.unblock("a") == nil)
        #expect(table.count == 0)
        #expect(!table.isRuleInForce)
    }

    @Test
    func `Start and stop tell when they decide whether another may start`() {
        var table = HostTable()
        table.maximumRunning = 2
        let id = table.enter("a")
        #expect(table.start(id) == false)
        #expect(table.mayStart(id))
        #expect(table.start(id) == true)
        #expect(!table.mayStart(id))
        #expect(table.stop(id) == true)
        #expect(table.stop(id) == false)
    }

    @Test
    func `A request without a host is never restricted`() {
        var table = HostTable()
        table.maximumRunning = 1
        #expect(table.start(.none) == false)
        #expect(table.mayStart(.none))
    }

    @Test(arguments: [nil, 0, -1])
    func `A limit below 1 is no limit`(limit: Int?) {
        var table = HostTable()
        table.maximumRunning = limit
        #expect(!table.isRuleInForce)
    }
}
