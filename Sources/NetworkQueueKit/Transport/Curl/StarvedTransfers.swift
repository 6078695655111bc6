#if canImport(Glibc)
    import Foundation
    import FoundationNetworking

    /// Exchanges for whose connection no file descriptor was free, and which wait for one. Belongs to the loop's thread.
    ///
    /// Nothing tells when a descriptor of the process or the system comes free, so it is looked for again and again.
    struct StarvedTransfers {
        enum Verdict {
            case wait
            /// One descriptor at least is free: the exchange is to be tried again.
            case tryAgain(CurlTransfer)
            case fail(CurlTransfer, URLError)
        }

        private static let interval = Duration.milliseconds(50)
        /// Where no exchange runs whose end could free a descriptor, an exchange waits no longer than this.
        private let connectTimeout: Duration
        /// In the order in which they are tried again.
        private var waiting: [CurlTransfer] = []
        private var nextLook = Duration.zero

        init(connectTimeout: Duration) {
            self.connectTimeout = connectTimeout
        }

        var isEmpty: Bool { waiting.isEmpty }

        /// When to look again, if nothing happens before; `nil` when nothing waits.
        var deadline: Duration? { waiting.isEmpty ? nil : nextLook }

        /// Keeps an exchange that libcurl has given back.
        mutating func add(_ transfer: CurlTransfer, now: Duration) {
            transfer.isDeferred = true
            if transfer.starvedSince == nil { transfer.starvedSince = now }
            if waiting.isEmpty { nextLook = now + Self.interval }
            waiting.append(transfer)
        }

        /// What is to be done for those that wait; to be asked until the answer is to wait.
        ///
        /// - Parameter isAlone: whether libcurl has no exchange.
        mutating func verdict(isAlone: Bool, now: Duration) -> Verdict {
            waiting.removeAll { !$0.isDeferred }
            guard !waiting.isEmpty, now >= nextLook else { return .wait }
            if let index = waiting.firstIndex(where: { ($0.totalDeadline ?? now) < now }) {
                return .fail(release(index), URLError(.timedOut))
            }
            if POSIXFile.isDescriptorFree {
                // One at a time: where there is room for several, the next turn has it, too.
                nextLook = now + .milliseconds(1)
                return .tryAgain(release(0))
            }
            if isAlone, let index = waiting.firstIndex(where: { now - ($0.starvedSince ?? now) >= connectTimeout }) {
                let reason =
                    "No file descriptor is free for a connection: close some files, or raise the limit for them."
                return .fail(
                    release(index), URLError(.resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: reason]))
            }
            nextLook = now + Self.interval
            return .wait
        }

        mutating func removeAll() -> [CurlTransfer] {
            defer { waiting = [] }
            return waiting.filter(\.isDeferred)
        }

        private mutating func release(_ index: Int) -> CurlTransfer {
            let transfer = waiting.remove(at: index)
            transfer.isDeferred = false
            return transfer
        }
    }
#endif
