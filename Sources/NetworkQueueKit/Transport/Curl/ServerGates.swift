#if canImport(Glibc)
    /// The gates of all servers over TLS that a loop speaks with, and the exchanges that wait at them. Belongs to the loop's thread.
    struct ServerGates {
        /// How many servers without exchanges are remembered, about; each takes some 200 bytes.
        static let capacity = 4096

        private struct Entry {
            var gate = ServerGate()
            var waiting: [CurlTransfer] = []
            /// How many of those have left.
            var leftCount = 0

            var hasWaiting: Bool { leftCount < waiting.count }

            mutating func forgetWaiting() {
                waiting = []
                leftCount = 0
            }

            mutating func popFirst() -> CurlTransfer? {
                guard hasWaiting else { return nil }
                defer {
                    leftCount += 1
                    if leftCount == waiting.count { forgetWaiting() }
                }
                return waiting[leftCount]
            }
        }

        private var entries: [String: Entry] = [:]
        /// With how many of them those without exchanges are forgotten.
        private var remembered = capacity
        /// The servers with a pioneer.
        private var pioneers: [String: CurlTransfer] = [:]
        private var serverOfSocket: [Int32: String] = [:]
        /// The servers for whose exchanges it says that libcurl has not begun with one.
        private var unbegun: [String] = []

        /// The server of a URL, as it is known here; `nil` without TLS, where a server would not say what it speaks.
        static func server(of url: String) -> String? {
            let bytes = url.utf8
            guard let start = bytes.index(bytes.startIndex, offsetBy: 8, limitedBy: bytes.endIndex),
                bytes.dropFirst(4).first.map({ $0 | 0x20 }) == UInt8(ascii: "s")
            else { return nil }
            let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            return String(url[..<(end ?? bytes.endIndex)])
        }

        /// Whether an exchange may go to libcurl; else it is kept until it is handed out.
        mutating func admit(_ transfer: CurlTransfer, now: Duration) -> Bool {
            guard let server = transfer.server else { return true }
            if entries.count > remembered { forgetOld() }
            // Taken out, so that what waits is not copied.
            var entry = entries.removeValue(forKey: server) ?? Entry()
            defer { entries[server] = entry }
            let verdict: ServerGate.Verdict = entry.hasWaiting ? .wait : entry.gate.verdict
            if case .wait = verdict {
                transfer.isDeferred = true
                entry.waiting.append(transfer)
                return false
            }
            start(transfer, at: &entry.gate, of: server, verdict, now: now)
            return true
        }

        private mutating func forgetOld() {
            entries = entries.filter { $0.value.gate.liveCount > 0 || $0.value.hasWaiting }
            remembered = max(Self.capacity, entries.count * 2)
        }

        private mutating func start(
            _ transfer: CurlTransfer, at gate: inout ServerGate, of server: String, _ verdict: ServerGate.Verdict,
            now: Duration
        ) {
            var isPioneer = false
            if case .goAhead = verdict {
                isPioneer = true
                pioneers[server] = transfer
            }
            let hadUnbegun = gate.hasUnbegun
            gate.start(ObjectIdentifier(transfer), isPioneer: isPioneer, now: now)
            if gate.hasUnbegun, !hadUnbegun { unbegun.append(server) }
        }

        /// The next exchange of a server that may go now.
        private mutating func next(of server: String, now: Duration) -> CurlTransfer? {
            guard var entry = entries[server] else { return nil }
            defer { entries[server] = entry.gate.isBlank && !entry.hasWaiting ? nil : entry }
            while entry.hasWaiting {
                let verdict = entry.gate.verdict
                if case .wait = verdict { return nil }
                guard let transfer = entry.popFirst(), transfer.isDeferred else { continue }
                transfer.isDeferred = false
                start(transfer, at: &entry.gate, of: server, verdict, now: now)
                return transfer
            }
            return nil
        }

        // MARK: Events

        /// Notes the end of an exchange, whose handle is still its own; returns those that may go now.
        mutating func end(_ transfer: CurlTransfer, now: Duration) -> [CurlTransfer] {
            guard let server = transfer.server, entries[server] != nil else { return [] }
            if pioneers[server] === transfer { settle(transfer, of: server) } else { register(transfer, of: server) }
            // One that lacked a descriptor says as little about the server as one that was called off.
            entries[server]?.gate.end(
                ObjectIdentifier(transfer), version: transfer.httpVersion,
                isCancelled: transfer.isCancelled || transfer.isDeferred)
            if pioneers[server] === transfer { pioneers[server] = nil }
            return released(by: server, now: now)
        }

        /// Looks after those that are connecting, and at what has been closed, once libcurl has begun with all that it was given;
        /// returns exchanges that may go now.
        mutating func update(closedSockets: [Int32], now: Duration) -> [CurlTransfer] {
            guard !pioneers.isEmpty || !unbegun.isEmpty || !closedSockets.isEmpty else { return [] }
            for socket in closedSockets {
                guard let server = serverOfSocket.removeValue(forKey: socket) else { continue }
                entries[server]?.gate.noteClosedConnection()
            }
            var free: [CurlTransfer] = []
            let begun = unbegun
            unbegun.removeAll()
            for server in begun {
                entries[server]?.gate.noteBegun()
                free += released(by: server, now: now)
            }
            for (server, transfer) in pioneers {
                settle(transfer, of: server)
                entries[server]?.gate.expire(now: now)
                if entries[server]?.gate.pioneer == nil { pioneers[server] = nil }
                free += released(by: server, now: now)
            }
            return free
        }

        /// When there is something to look after, if nothing happens before.
        var deadline: Duration? {
            pioneers.isEmpty ? nil : pioneers.keys.compactMap { entries[$0]?.gate.pioneer?.deadline }.min()
        }

        /// All that wait, which do so no longer.
        mutating func removeAllWaiting() -> [CurlTransfer] {
            let waiting = entries.values.flatMap { $0.waiting.dropFirst($0.leftCount) }.filter(\.isDeferred)
            for server in entries.keys { entries[server]?.forgetWaiting() }
            for transfer in waiting { transfer.isDeferred = false }
            return waiting
        }

        private mutating func released(by server: String, now: Duration) -> [CurlTransfer] {
            var free: [CurlTransfer] = []
            while let transfer = next(of: server, now: now) { free.append(transfer) }
            return free
        }

        /// Notes that the pioneer has the connection that it needs, if so.
        private mutating func settle(_ transfer: CurlTransfer, of server: String) {
            guard let handle = transfer.handle, handle.isConnected else { return }
            let isNew = handle.hasConnected
            if isNew, let socket = handle.socket { serverOfSocket[socket] = server }
            entries[server]?.gate.settlePioneer(isNew: isNew)
            if entries[server]?.gate.pioneer == nil { pioneers[server] = nil }
        }

        /// Notes a connection that was made by an exchange that was not sent ahead.
        private mutating func register(_ transfer: CurlTransfer, of server: String) {
            guard let handle = transfer.handle, handle.hasConnected, entries[server]?.gate.isOld == false,
                let socket = handle.socket, serverOfSocket.updateValue(server, forKey: socket) == nil
            else { return }
            entries[server]?.gate.noteSurplusConnection()
        }
    }
#endif
