#if canImport(Glibc)
    import Testing

    @testable import NetworkQueueKit

    @Suite("The gate of a server")
    struct ServerGateTests {
        private final class Exchange {}

        private var gate = ServerGate()
        private var exchanges: [Exchange] = []

        /// Lets one exchange through; returns whether it is the pioneer, or `nil` when it has to wait.
        ///
        /// - Parameter hasBegun: whether libcurl has begun with those before it.
        @discardableResult
        private mutating func enter(at time: Duration = .zero, hasBegun: Bool = true) -> Bool? {
            if hasBegun { gate.noteBegun() }
            let verdict = gate.verdict
            if case .wait = verdict { return nil }
            let isPioneer = if case .goAhead = verdict { true } else { false }
            let exchange = Exchange()
            exchanges.append(exchange)
            gate.start(ObjectIdentifier(exchange), isPioneer: isPioneer, now: time)
            return isPioneer
        }

        private mutating func leave(_ number: Int, version: String?) {
            gate.end(ObjectIdentifier(exchanges[number]), version: version)
        }

        @Test mutating func `lets one ahead, and the others when that has a connection`() {
            #expect(enter() == true && enter() == nil)
            gate.settlePioneer(isNew: true)
            for _ in 1..<ServerGate.assumedRoom { #expect(enter() == false) }
            #expect(enter() == true, "it may find room all the same")
            #expect(enter() == nil)
        }

        @Test mutating func `learns that there is more room than every server has`() {
            enter()
            gate.settlePioneer(isNew: true)
            for _ in 1..<128 {
                if enter() == true { gate.settlePioneer(isNew: false) }
            }
            #expect(gate.room == 128 && gate.connectionCount == 1)
            #expect(enter() == true)
            gate.settlePioneer(isNew: true)
            #expect(gate.room == 128 && gate.connectionCount == 2)
            for _ in 129..<256 { #expect(enter() == false) }
        }

        @Test mutating func `sends none ahead of others that libcurl has not begun with`() {
            enter()
            gate.settlePioneer(isNew: true)
            for _ in 1..<ServerGate.assumedRoom { #expect(enter(hasBegun: false) == false) }
            #expect(enter(hasBegun: false) == nil && enter() == true)
        }

        @Test mutating func `learns that there is less room`() {
            enter()
            gate.settlePioneer(isNew: true)
            for _ in 0..<10 { enter() }
            gate.noteSurplusConnection()
            #expect(gate.room == 10 && gate.connectionCount == 2)
            for _ in 11..<20 { #expect(enter() == false) }
            #expect(enter() == true)
        }

        @Test mutating func `is open for good where HTTP/1.1 is spoken`() {
            enter()
            gate.settlePioneer(isNew: true)
            leave(0, version: "HTTP/1.1")
            gate.noteClosedConnection()
            for _ in 0..<500 { #expect(enter() == false) }
            leave(1, version: "HTTP/2")
            #expect(!gate.isOld)
        }

        @Test mutating func `is open while connecting fails, until it works again`() {
            enter()
            leave(0, version: nil)
            #expect(enter() == false && enter() == false)
            leave(1, version: "HTTP/2")
            #expect(enter() == true && enter() == nil)
        }

        @Test mutating func `lets the next one ahead where one is cancelled`() {
            enter()
            gate.end(ObjectIdentifier(exchanges[0]), version: nil, isCancelled: true)
            #expect(enter() == true && enter() == nil)
        }

        @Test mutating func `is open when connecting takes its time`() {
            enter(at: .seconds(5))
            gate.expire(now: .seconds(5) + ServerGate.patience - .milliseconds(1))
            #expect(enter() == nil)
            gate.expire(now: .seconds(5) + ServerGate.patience)
            #expect(enter() == false)
        }

        @Test mutating func `lets one ahead again when all connections have been closed`() {
            enter()
            gate.settlePioneer(isNew: true)
            leave(0, version: "HTTP/2")
            #expect(!gate.isBlank)
            gate.noteClosedConnection()
            #expect(gate.isBlank && enter() == true && enter() == nil)
        }

        @Test(arguments: [
            ("https://host/path", "https://host"), ("https://host:8443/a/b?c", "https://host:8443"),
            ("https://host?query", "https://host"), ("https://[::1]:1/", "https://[::1]:1"),
            ("HTTPS://host", "HTTPS://host"),
            ("http://host/path", nil), ("http://s", nil), ("https", nil), ("", nil),
        ])
        func `belongs to a server over TLS`(url: String, server: String?) {
            #expect(ServerGates.server(of: url) == server)
        }
    }
#endif
