import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

struct RememberedOriginsTests {
    private let clock = ManualClock()

    private func origins(_ threshold: Int = 1, lifetime: Duration? = .seconds(600)) -> RememberedOrigins {
        RememberedOrigins(threshold: threshold, lifetime: lifetime) { [clock] in clock.now }
    }

    @Test func `One path stands for its origin if one is enough, and for itself if it is not`() {
        let (single, several) = (origins(), origins(3))
        #expect(!single.contains(.test("a")) && !single.contains(nil) && !single.containsOrigin(of: .test("a")))
        for origins in [single, several] { origins.insert(.test("a?b")) }
        #expect(single.contains(.test("a")) && single.contains(.test("b")))
        #expect(several.contains(.test("a")) && !several.contains(.test("b")))
        #expect(several.containsOrigin(of: .test("b")))
        let elsewhere = URL(string: "http://host.test:81/a")
        for origins in [single, several] {
            #expect(!origins.contains(elsewhere) && !origins.containsOrigin(of: elsewhere))
        }
    }

    @Test func `Three paths stand for their origin, and one path three times does not`() {
        let origins = origins(3)
        for _ in 0..<3 { origins.insert(.test("a")) }
        origins.insert(.test("b"))
        #expect(origins.contains(.test("b")) && !origins.contains(.test("new")))
        origins.insert(.test("c"))
        #expect(origins.contains(.test("new")))
    }

    @Test func `Ten minutes after it was last seen it is forgotten`() {
        let origins = origins(3)
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

    @Test func `Without a lifetime nothing is forgotten`() {
        let origins = origins(lifetime: nil)
        origins.insert(.test("a"))
        clock.advance(by: .seconds(1_000_000))
        #expect(origins.contains(.test("b")))
    }
}
