#if canImport(Glibc)
    import CCurl
    import Foundation

    /// The thread that runs all transfers of one transport.
    ///
    /// Everything but the inbox is confined to that thread. Each turn takes the inbox, lets libcurl work, and reports
    /// the finished transfers. The thread sleeps only if none has finished, so a receiver that starts its next exchange
    /// on completion costs no wake-up.
    final class CurlLoop: Sendable {
        enum Message {
            case start(CurlTransfer)
            case cancel(CurlTransfer)
            case pause(CurlTransfer)
            case resume(CurlTransfer)
        }

        private struct Inbox {
            var messages: [Message] = []
            /// Whether a thread is running or being started.
            var isRunning = false
            /// Set while the thread is in, or about to enter, `curl_multi_poll`; only then must it be woken.
            var isAsleep = false
            var isStopped = false
            /// Created by the first thread that can, and kept until the loop is released, because it may be woken at
            /// any time.
            var multi: CurlMulti?
        }

        /// The calls to libcurl and the system; tests replace them with failing ones.
        struct System: Sendable {
            /// Starts a thread; returns 0 or an `errno` code.
            var startThread: @Sendable (CurlLoop) -> Int32 = CurlLoop.startThread
            /// Creates a multi handle that can be woken; `nil` if the system lacks the resources.
            var makeMulti: @Sendable () -> CurlMulti? = { CurlMulti() }
        }

        private let inbox = Guarded(Inbox())
        private let configuration: TransportConfiguration
        private let system: System

        init(configuration: TransportConfiguration, system: System = System()) {
            self.configuration = configuration
            self.system = system
        }

        /// Passes a message to the thread, which is started or woken if necessary.
        func post(_ message: Message) {
            let (mustStart, sleeper) = inbox.withLock { inbox -> (Bool, CurlMulti?) in
                // A handle may outlive its transport; a stopped loop has already ended every exchange.
                guard !inbox.isStopped else { return (false, nil) }
                inbox.messages.append(message)
                defer {
                    inbox.isRunning = true
                    // One call wakes the thread for everything that is posted until it runs.
                    inbox.isAsleep = false
                }
                return (!inbox.isRunning, inbox.isAsleep ? inbox.multi : nil)
            }
            if mustStart {
                launch()
            } else {
                sleeper?.wake()
            }
        }

        /// Whether content may come after the head of a response to a HEAD.
        func sendsContentAfterHead(_ url: URL) -> Bool {
            inbox.withLock { $0.multi }?.sockets.contentAfterHead.contains(url) ?? false
        }

        /// Cancels all live transfers and ends the thread.
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
                let reason = "Could not start a thread: \(String(cString: strerror(code)))."
                let error = URLError(.resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: reason])
                guard refuseWaiting(error) else { return }
            }
        }

        /// Fails the waiting exchanges, because the loop lacks the resources to run. Returns whether more have come
        /// meanwhile, for which it must try again.
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
            // Apply the server's limit, not libcurl's default of 100.
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
                    case .pause(let transfer): transfer.pauses.isPausedByReceiver = true
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
