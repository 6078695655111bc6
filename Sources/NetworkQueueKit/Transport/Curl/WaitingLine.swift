#if canImport(Glibc)
    /// Exchanges that wait their turn; one that is cancelled leaves by not being deferred any more.
    struct WaitingLine {
        private var transfers: [CurlTransfer] = []
        /// How many of those have left.
        private var leftCount = 0

        /// The next one, past those that have been cancelled.
        var first: CurlTransfer? {
            mutating get {
                while leftCount < transfers.count, !transfers[leftCount].isDeferred { removeFirst() }
                return isEmpty ? nil : transfers[leftCount]
            }
        }

        var isEmpty: Bool { leftCount == transfers.count }

        mutating func append(_ transfer: CurlTransfer) { transfers.append(transfer) }

        mutating func removeFirst() {
            leftCount += 1
            guard leftCount == transfers.count else { return }
            transfers = []
            leftCount = 0
        }

        /// Empties the line; returns what was still waiting.
        mutating func removeAll() -> [CurlTransfer] {
            let waiting = transfers.dropFirst(leftCount).filter(\.isDeferred)
            transfers = []
            leftCount = 0
            for transfer in waiting { transfer.isDeferred = false }
            return waiting
        }
    }
#endif
