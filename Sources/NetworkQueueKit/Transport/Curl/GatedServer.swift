#if canImport(Glibc)
    /// A server over TLS: its gate, and the exchanges that wait there. Belongs to the loop's thread.
    final class GatedServer {
        private(set) var gate: ServerGate
        /// The exchanges that are connecting, as far as the gate goes by them.
        private var pioneers: [CurlTransfer] = []
        /// Taken back from libcurl; they go before the others.
        private var returned = WaitingLine()
        private var waiting = WaitingLine()
        /// Whether exchanges have gone by HTTP/1.1 past the gate, and may have left connections on which it is spoken.
        var isBypassed = false
        /// When something last came for any of its exchanges, as far as that has been noted.
        private var latestArrival = Duration.zero

        init(patience: Duration) {
            gate = ServerGate(patience: patience)
        }

        var hasPioneers: Bool { gate.hasPioneers }
        var hasWaiting: Bool { !waiting.isEmpty || !returned.isEmpty }
        /// Whether it is worth keeping, even if there are many.
        var isInUse: Bool { gate.liveCount > 0 || hasWaiting }
        /// When to look again, if nothing happens before.
        var deadline: Duration? { hasWaiting ? gate.deadline : nil }

        /// Whether an exchange may go to libcurl; else it is kept until it is handed out.
        func admit(_ transfer: CurlTransfer, now: Duration) -> Bool {
            if !hasWaiting, start(transfer, now: now) { return true }
            transfer.isDeferred = true
            waiting.append(transfer)
            return false
        }

        /// Whether libcurl may make a connection for an exchange.
        func mayConnect(_ transfer: CurlTransfer, now: Duration) -> Bool {
            let id = ObjectIdentifier(transfer)
            let wasPioneer = gate.isPioneer(id)
            guard gate.mayConnect(id, now: now) else { return false }
            if !wasPioneer, gate.isPioneer(id) { pioneers.append(transfer) }
            return true
        }

        /// When something last came over a connection that exchanges share: a server may send its responses one after the other, as Apache
        /// does, so that one that gets nothing meanwhile has not met with silence.
        var sharedArrival: Duration { gate.sharing == .shared ? latestArrival : .zero }

        func noteArrival(for transfer: CurlTransfer) { latestArrival = max(latestArrival, transfer.latestArrival) }

        /// Notes which pioneers have the connection that they need.
        func settlePioneers() {
            for transfer in pioneers { settle(transfer) }
            pioneers.removeAll { !gate.isPioneer(ObjectIdentifier($0)) }
        }

        /// Notes the end of an exchange, whose handle is still its own.
        func end(_ transfer: CurlTransfer, now: Duration) {
            noteArrival(for: transfer)
            if transfer.isDenied {
                gate.takeBack()
                transfer.isDeferred = true
                returned.append(transfer)
                return
            }
            let id = ObjectIdentifier(transfer)
            let wasPioneer = gate.isPioneer(id)
            if wasPioneer { settle(transfer) }
            var isCancelled = transfer.isCancelled
            // One over a connection that another has left which was told to speak HTTP/1.1 says as little about the server.
            let hasBypassed = isBypassed && !transfer.isShared && transfer.handle?.hasConnected == false
            if hasBypassed { isCancelled = true }
            gate.end(id, version: hasBypassed ? nil : transfer.httpVersion, isCancelled: isCancelled, now: now)
            if wasPioneer { pioneers.removeAll { $0 === transfer } }
        }

        /// The exchanges that may go now.
        func release(now: Duration) -> [CurlTransfer] {
            var free: [CurlTransfer] = []
            while let transfer = returned.first ?? waiting.first, start(transfer, now: now) {
                if returned.isEmpty { waiting.removeFirst() } else { returned.removeFirst() }
                transfer.isDeferred = false
                free.append(transfer)
            }
            return free
        }

        /// All that wait, which do so no longer.
        func removeAllWaiting() -> [CurlTransfer] { returned.removeAll() + waiting.removeAll() }

        private func start(_ transfer: CurlTransfer, now: Duration) -> Bool {
            switch gate.verdict(now: now) {
            case .wait: return false
            case .go: gate.start(ObjectIdentifier(transfer), isPioneer: false, now: now)
            case .goAhead:
                gate.start(ObjectIdentifier(transfer), isPioneer: true, now: now)
                pioneers.append(transfer)
            }
            return true
        }

        private func settle(_ transfer: CurlTransfer) {
            if transfer.handle?.isConnected == true { gate.settle(ObjectIdentifier(transfer)) }
        }
    }
#endif
