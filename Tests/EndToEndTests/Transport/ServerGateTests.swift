#if canImport(Glibc)
    import Testing

    @testable import NetworkQueueKit

    @Suite("The gate of a server")
    struct ServerGateTests {
        private final class Exchange {}

        private var gate = ServerGate()
        private var exchanges: [Exchange] = []

        private func id(_ number: Int) -> ObjectIdentifier { ObjectIdentifier(exchanges[number]) }

        /// Lets one exchange through; returns whether it is a pioneer, or `nil` when it has to wait.
        @discardableResult
        private mutating func enter(at time: Duration = .zero) -> Bool? {
            let verdict = gate.verdict(now: time)
            if case .wait = verdict { return nil }
            let isPioneer = if case .goAhead = verdict { true } else { false }
            let exchange = Exchange()
            exchanges.append(exchange)
            gate.start(ObjectIdentifier(exchange), isPioneer: isPioneer, now: time)
            return isPioneer
        }

        private mutating func leave(_ number: Int, version: String?, at time: Duration = .zero) {
            gate.end(id(number), version: version, now: time)
        }

        private mutating func mayConnect(_ number: Int, at time: Duration = .zero) -> Bool {
            gate.mayConnect(id(number), now: time)
        }

        /// Takes the steps after which it is known that exchanges share a connection, with two of them.
        private mutating func share() {
            for number in 0..<2 {
                #expect(enter() == true)
                if number == 0 { #expect(mayConnect(0)) }
                gate.settle(id(number))
            }
            #expect(gate.sharing == .shared && gate.liveCount == 2)
        }

        @Test func `waits for a connection as long as connectTimeout suggests`() {
            #expect(ServerGates(connectTimeout: .seconds(15)).patience == ServerGate.usualPatience)
            #expect(ServerGates(connectTimeout: .seconds(30)).patience == ServerGate.usualPatience * 2)
            #expect(ServerGates(connectTimeout: .seconds(Int64.max)).patience > .seconds(600))
        }

        @Test mutating func `lets one ahead, a second when that has a connection, and all when they share it`() {
            #expect(enter() == true && mayConnect(0) && enter() == nil)
            gate.settle(id(0))
            #expect(enter() == true && enter() == nil)
            gate.settle(id(1))
            for _ in 0..<500 { #expect(enter() == false) }
        }

        @Test mutating func `is open for good where the second needs a connection of its own`() {
            #expect(enter() == true && mayConnect(0))
            gate.settle(id(0))
            #expect(enter() == true && mayConnect(1))
            for number in 2..<500 { #expect(enter() == false && mayConnect(number)) }
            for number in 0..<500 { leave(number, version: "HTTP/1.1") }
            #expect(enter() == false && mayConnect(500))
        }

        @Test mutating func `is open where HTTP/1.1 is spoken, until it is not any more`() {
            enter()
            gate.settle(id(0))
            leave(0, version: "HTTP/1.1")
            #expect(enter() == false && mayConnect(1))
            leave(1, version: "HTTP/2")
            #expect(gate.sharing == .shared)
        }

        @Test mutating func `has one connect for those that find no room`() {
            share()
            for _ in 2..<10 { enter() }
            #expect(mayConnect(5) && !mayConnect(6) && !mayConnect(7))
            #expect(mayConnect(5), "at another address")
            gate.takeBack()
            gate.takeBack()
            #expect(enter() == nil && gate.liveCount == 8)
            gate.settle(id(5))
            #expect(enter() == false && mayConnect(10))
        }

        @Test mutating func `fills the places that others leave while one is connecting`() {
            share()
            for _ in 2..<10 { enter() }
            #expect(mayConnect(9) && enter() == nil)
            leave(0, version: "HTTP/2")
            leave(1, version: nil)
            #expect(enter() == false && enter() == false && enter() == nil)
            gate.settle(id(9))
            #expect(enter() == false)
        }

        @Test mutating func `lets two ahead where one has failed, and one when one has connected`() {
            share()
            enter()
            #expect(mayConnect(2))
            leave(2, version: nil)
            enter()
            enter()
            enter()
            #expect(mayConnect(3) && mayConnect(4) && !mayConnect(5))
            gate.settle(id(3))
            #expect(gate.width == 1 && !mayConnect(5))
            gate.settle(id(4))
            #expect(mayConnect(5))
        }

        @Test mutating func `lets twice as many ahead each time that a server refuses all`() {
            for width in [1, 2, 4, 8] {
                let first = exchanges.count
                for _ in 0..<width { #expect(enter() == true) }
                #expect(enter() == nil)
                for number in first..<exchanges.count { leave(number, version: nil) }
            }
        }

        @Test mutating func `forgets failures after a while`() {
            for _ in 0..<3 {
                enter()
                leave(exchanges.count - 1, version: nil, at: .seconds(5))
            }
            #expect(gate.width == 4)
            #expect(enter(at: .seconds(5) + ServerGate.usualPatience) == true)
            #expect(enter(at: .seconds(5) + ServerGate.usualPatience) == nil)
        }

        @Test mutating func `lets the next one ahead where one is cancelled`() {
            enter()
            gate.end(id(0), version: nil, isCancelled: true, now: .zero)
            #expect(enter() == true && enter() == nil)
        }

        @Test mutating func `lets one more ahead each time that connecting takes its time`() {
            enter(at: .seconds(5))
            #expect(gate.deadline == .seconds(5) + ServerGate.usualPatience)
            #expect(enter(at: .seconds(5) + ServerGate.usualPatience - .milliseconds(1)) == nil)
            #expect(enter(at: .seconds(5) + ServerGate.usualPatience) == true)
            #expect(enter(at: .seconds(5) + ServerGate.usualPatience) == nil)
            #expect(enter(at: .seconds(5) + ServerGate.usualPatience * 2) == true)
            #expect(enter(at: .seconds(5) + ServerGate.usualPatience * 2) == true)
            #expect(enter(at: .seconds(5) + ServerGate.usualPatience * 2) == nil)
        }

        @Test mutating func `starts anew where a connection is lost before its first response`() {
            enter()
            gate.settle(id(0))
            leave(0, version: nil)
            #expect(enter() == true && mayConnect(1))
            #expect(gate.sharing == .unknown && enter() == nil)
        }

        @Test(arguments: [
            ("https://host/path", "https://host"), ("https://host:8443/a/b?c", "https://host:8443"),
            ("https://host?query", "https://host"), ("https://[::1]:1/", "https://[::1]:1"),
            ("HTTPS://host", "HTTPS://host"),
            ("http://host/path", nil), ("http://s", nil), ("https", nil), ("", nil),
        ])
        func `belongs to a server over TLS`(url: String, server: String?) {
            #expect(ServerGates.name(of: url) == server)
        }
    }
#endif
