import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

struct RememberedOriginsTests {
    private let clock = ManualClock()

    private func origins() -> RememberedOrigins {
        RememberedOrigins(threshold: 3, lifetime: .seconds(600)) { [clock] in clock.now }
    }

    @Test func `Three paths stand for their origin, and one path three times does not`() {
        let origins = origins()
        for _ in 0..<3 { origins.insert(.test("a")) }
        origins.insert(.test("b"))
        #expect(origins.contains(.test("b")) && !origins.contains(.test("new")))
        #expect(!origins.contains(URL(string: "http://host.test:81/a")) && !origins.contains(nil))
        origins.insert(.test("c"))
        #expect(origins.contains(.test("new")))
    }

    @Test func `Ten minutes after it was last seen it is forgotten`() {
        let origins = origins()
        origins.insert(.test("a"))
        clock.advance(by: .seconds(300))
        origins.insert(.test("b"))
        clock.advance(by: .seconds(299))
        #expect(origins.contains(.test("a")))
        clock.advance(by: .seconds(1))
        #expect(!origins.contains(.test("a")) && origins.contains(.test("b")))
        // The first does not count any more.
        origins.insert(.test("c"))
        #expect(!origins.contains(.test("new")))
        origins.insert(.test("d"))
        clock.advance(by: .seconds(599))
        #expect(origins.contains(.test("new")))
        clock.advance(by: .seconds(1))
        #expect(!origins.contains(.test("new")) && !origins.containsOrigin(of: .test("d")))
    }
}
