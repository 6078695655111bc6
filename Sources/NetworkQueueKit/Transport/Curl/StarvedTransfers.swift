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

        /// In the order in which they are tried again.
        private var waiting: [CurlTransfer] = []
        private var nextLook = Duration.zero

        var isEmpty: Bool { waiting.isEmpty }

        /// When to look again, if nothing happens before; `nil` when nothing waits.
        var deadline: Duration? { waiting.isEmpty ? nil : nextLook }

        /// Keeps an exchange that libcurl has given back.
        mutating func add(_ transfer: CurlTransfer, now: Duration) {
            transfer.awaitDescriptors()
            if waiting.isEmpty { nextLook = now + DescriptorWait.interval }
            waiting.append(transfer)
        }

        /// How many descriptors the next one needs that is to be tried again; `nil` before its time.
        mutating func descriptorsNeeded(now: Duration) -> Int? {
            waiting.removeAll { !$0.isDeferred }
            return now >= nextLook ? waiting.first?.descriptorsNeeded : nil
        }

        /// What is to be done for those that wait; to be asked until the answer is to wait.
        ///
        /// - Parameter isAlone: whether no exchange runs whose end could free a descriptor.
        mutating func verdict(isAlone: Bool, now: Duration) -> Verdict {
            waiting.removeAll { !$0.isDeferred }
            guard !waiting.isEmpty, now >= nextLook else { return .wait }
            if let index = waiting.firstIndex(where: { ($0.totalDeadline ?? now) < now }) {
                return .fail(release(index), URLError(.timedOut))
            }
            if POSIXFile.areDescriptorsFree(waiting[0].descriptorsNeeded) {
                // One at a time: where there is room for several, the next turn has it, too.
                nextLook = now + .milliseconds(1)
                return .tryAgain(release(0))
            }
            if isAlone, let index = waiting.firstIndex(where: { $0.descriptorWait?.isLong == true }) {
                return .fail(release(index), .noDescriptor)
            }
            nextLook = now + DescriptorWait.interval
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

    extension URLError {
        /// The error of an exchange for whose connection no descriptor came free.
        static var noDescriptor: URLError {
            let reason = "No file descriptor is free for a connection: close some files, or raise the limit for them."
            return URLError(.resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: reason])
        }
    }
#endif
