#if canImport(Glibc)
    import CCurl
    import Foundation

    /// The thread that runs all transfers of one transport.
    ///
    /// Everything but the inbox belongs to that thread. Each turn takes the inbox, lets libcurl work, reports what has
    /// finished, and sleeps only when nothing did; a receiver that starts the next exchange from its completion costs no
    /// wake-up.
    final class CurlLoop: Sendable {
        enum Message {
            case start(CurlTransfer)
            case cancel(CurlTransfer)
            case resume(CurlTransfer)
        }

        private struct Inbox {
            var messages: [Message] = []
            var isRunning = false
            /// Set while the thread is in, or about to enter, `curl_multi_poll`: only then does it need waking.
            var isAsleep = false
            var isStopped = false
        }

        private static let defaultMaximumConnections = 128

        private let inbox = Guarded(Inbox())
        /// `curl_multi_wakeup` may be called from any thread; all other calls on it are the loop thread's.
        private nonisolated(unsafe) let multi: UnsafeMutableRawPointer
        private let configuration: TransportConfiguration

        init(configuration: TransportConfiguration) {
            self.configuration = configuration
            guard let multi = ccurl_multi_init() else {
                preconditionFailure("curl_multi_init fails only when memory is exhausted")
            }
            self.multi = multi
            _ = ccurl_multi_set_long(multi, CCURLMOPT_PIPELINING, Int(CCURLPIPE_MULTIPLEX))
            // libcurl's own default is four for each live transfer: when a batch runs out, it would close the connections
            // that the next one could use.
            _ = ccurl_multi_set_long(
                multi, CCURLMOPT_MAXCONNECTS, configuration.maximumConnections ?? Self.defaultMaximumConnections)
        }

        deinit { _ = ccurl_multi_cleanup(multi) }

        /// Hands a message to the thread, starting or waking it where needed.
        func post(_ message: Message) {
            let (mustStart, mustWake) = inbox.withLock { inbox in
                // A handle may outlive its transport; a stopped loop has ended every exchange already.
                guard !inbox.isStopped else { return (false, false) }
                inbox.messages.append(message)
                defer { inbox.isRunning = true }
                return (!inbox.isRunning, inbox.isAsleep)
            }
            if mustStart {
                Thread(block: run).start()
            } else if mustWake {
                _ = ccurl_multi_wakeup(multi)
            }
        }

        /// Cancels what is live and ends the thread.
        func stop() {
            let mustWake = inbox.withLock { inbox in
                inbox.isStopped = true
                return inbox.isAsleep
            }
            if mustWake { _ = ccurl_multi_wakeup(multi) }
        }

        private func run() {
            // Foundation's own `name` reaches the system only when the thread that has started this one has got on so far.
            ccurl_name_thread("NetworkQueueKit")
            ccurl_block_sigpipe()
            var transfers = CurlTransferSet(multi: multi, configuration: configuration)
            var messages: [Message] = []
            while true {
                inbox.withLock { swap(&messages, &$0.messages) }
                for message in messages {
                    switch message {
                    case .start(let transfer): transfers.start(transfer)
                    case .cancel(let transfer): transfers.cancel(transfer)
                    case .resume(let transfer): transfers.resume(transfer)
                    }
                }
                messages.removeAll(keepingCapacity: true)

                let hasFinishedAny = transfers.perform()
                if hasFinishedAny { continue }

                let (isStopped, hasMail) = inbox.withLock { inbox in
                    inbox.isAsleep = inbox.messages.isEmpty && !inbox.isStopped
                    return (inbox.isStopped, !inbox.messages.isEmpty)
                }
                if hasMail { continue }
                if isStopped { break }
                transfers.wait { inbox.withLock { $0.isStopped || !$0.messages.isEmpty } }
                inbox.withLock { $0.isAsleep = false }
            }
            transfers.cancelAll()
        }
    }
#endif
