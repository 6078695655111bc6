#if canImport(Glibc)
    import CCurl
    import Foundation

    /// The thread that runs all transfers of one transport.
    ///
    /// Everything but the inbox belongs to that thread. Each turn takes the inbox, lets libcurl work, reports what has
    /// finished, and sleeps only when nothing did; a receiver that starts the next exchange from its completion costs
    /// no wake-up.
    final class CurlLoop: Sendable {
        enum Message {
            case start(CurlTransfer)
            case cancel(CurlTransfer)
            case resume(CurlTransfer)
        }

        private struct Inbox {
            var messages: [Message] = []
            /// Whether there is a thread, or one is being started.
            var isRunning = false
            /// Set while the thread is in, or about to enter, `curl_multi_poll`: only then does it need waking.
            var isAsleep = false
            var isStopped = false
            /// Made by the first thread that can, and there until the loop is gone: it may be woken at any time.
            var multi: CurlMulti?
        }

        /// What libcurl and the system are asked for; replaced in tests by what fails.
        struct System: Sendable {
            /// Starts a thread; returns 0, or why it could not (an `errno`).
            var startThread: @Sendable (CurlLoop) -> Int32 = CurlLoop.startThread
            /// A multi handle that can be woken; `nil` where the system lacks what it takes.
            var makeMulti: @Sendable () -> CurlMulti? = { CurlMulti() }
        }

        private let inbox = Guarded(Inbox())
        private let configuration: TransportConfiguration
        private let system: System

        init(configuration: TransportConfiguration, system: System = System()) {
            self.configuration = configuration
            self.system = system
        }

        /// Hands a message to the thread, starting or waking it where needed.
        func post(_ message: Message) {
            let (mustStart, sleeper) = inbox.withLock { inbox -> (Bool, CurlMulti?) in
                // A handle may outlive its transport; a stopped loop has ended every exchange already.
                guard !inbox.isStopped else { return (false, nil) }
                inbox.messages.append(message)
                defer { inbox.isRunning = true }
                return (!inbox.isRunning, inbox.isAsleep ? inbox.multi : nil)
            }
            if mustStart {
                launch()
            } else {
                sleeper?.wake()
            }
        }

        /// Whether an origin has sent content after the head of a response to HEAD.
        func sendsContentAfterHead(_ url: URL) -> Bool {
            inbox.withLock { $0.multi }?.sockets.contentAfterHead.contains(url) ?? false
        }

        /// Cancels what is live and ends the thread.
        func stop() {
            let sleeper = inbox.withLock { inbox in
                inbox.isStopped = true
                return inbox.isAsleep ? inbox.multi : nil
            }
            sleeper?.wake()
        }

        private static func startThread(_ loop: CurlLoop) -> Int32 {
            let context = Unmanaged.passRetained(loop)
            let code = ccurl_start_thread(
                { Unmanaged<CurlLoop>.fromOpaque($0).takeRetainedValue().run() }, context.toOpaque())
            if code != 0 { context.release() }
            return code
        }

        private func launch() {
            while case let code = system.startThread(self), code != 0 {
                let reason = "No thread could be started for it: \(String(cString: strerror(code)))."
                let error = URLError(.resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: reason])
                guard refuseWaiting(error) else { return }
            }
        }

        /// Ends what waits, where the loop lacks what it needs to run; returns whether more has come meanwhile, for
        /// which it has to be tried again.
        private func refuseWaiting(_ error: URLError) -> Bool {
            let messages = inbox.withLock { inbox -> [Message] in
                defer { inbox.messages = [] }
                return inbox.messages
            }
            for case .start(let transfer) in messages {
                transfer.complete(transfer.isCancelled ? URLError(.cancelled) : error)
            }
            return inbox.withLock { inbox in
                inbox.isRunning = !inbox.messages.isEmpty
                return inbox.isRunning
            }
        }

        private func prepareMulti() -> CurlMulti? {
            if let multi = inbox.withLock({ $0.multi }) { return multi }
            guard let multi = system.makeMulti() else { return nil }
            _ = ccurl_multi_set_long(multi.pointer, CCURLMOPT_PIPELINING, Int(CCURLPIPE_MULTIPLEX))
            // A server's limit counts, not libcurl's own of 100.
            _ = ccurl_multi_set_long(multi.pointer, CCURLMOPT_MAX_CONCURRENT_STREAMS, Int(Int32.max))
            inbox.withLock { $0.multi = multi }
            return multi
        }

        private func run() {
            var prepared = prepareMulti()
            while prepared == nil, refuseWaiting(.noDescriptor) { prepared = prepareMulti() }
            guard let multi = prepared else { return }
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

                let (isStopped, hasMessages) = inbox.withLock { inbox in
                    inbox.isAsleep = inbox.messages.isEmpty && !inbox.isStopped
                    return (inbox.isStopped, !inbox.messages.isEmpty)
                }
                if hasMessages { continue }
                if isStopped { break }
                transfers.wait { inbox.withLock { $0.isStopped || !$0.messages.isEmpty } }
                inbox.withLock { $0.isAsleep = false }
            }
            transfers.cancelAll()
        }
    }
#endif
