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
            /// A file could not be opened for want of a descriptor.
            case starve
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
            /// Whether a request runs that does not wait for a descriptor, so that its end frees some.
            var runsOthers: @Sendable () -> Bool = { DescriptorBudget.shared.runsOthers }
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

        /// Has connections closed that no exchange uses: a file could not be opened for want of a descriptor.
        func noteFileStarvation() {
            // A loop that has not been started has none.
            if inbox.withLock({ $0.isRunning && $0.multi != nil }) { post(.starve) }
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
                guard refuseWaiting("No thread could be started for it: \(String(cString: strerror(code))).") else {
                    return
                }
            }
        }

        /// Ends what waits, where the loop lacks what it needs to run; returns whether more has come meanwhile, for which it has to
        /// be tried again.
        private func refuseWaiting(_ reason: String) -> Bool {
            let error = URLError(.resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: reason])
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

        /// Lets what waits go on waiting for the descriptors that the loop itself needs, and ends what has been cancelled or has waited too
        /// long; returns whether there is anything left, for which the loop has to be tried again.
        private func holdWaiting() -> Bool {
            let now = Duration.time(of: CLOCK_MONOTONIC)
            let isAlone = !system.runsOthers()
            let ended = inbox.withLock { inbox -> [(CurlTransfer, URLError)] in
                var ended: [(CurlTransfer, URLError)] = []
                // What has not begun is cancelled by its own mark.
                inbox.messages = inbox.messages.filter { message in
                    guard case .start(let transfer) = message else { return false }
                    transfer.awaitDescriptors()
                    let error: URLError? =
                        if inbox.isStopped || transfer.isCancelled {
                            URLError(.cancelled)
                        } else if let deadline = transfer.totalDeadline, deadline < now {
                            URLError(.timedOut)
                        } else {
                            isAlone && transfer.descriptorWait?.isLong == true ? .noDescriptor : nil
                        }
                    transfer.isDeferred = false
                    if let error { ended.append((transfer, error)) }
                    return error == nil
                }
                return ended
            }
            for (transfer, error) in ended { transfer.complete(error) }
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
            while prepared == nil {
                guard holdWaiting() else { return }
                Thread.sleep(forTimeInterval: DescriptorWait.interval.seconds)
                prepared = prepareMulti()
            }
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
                    case .starve: transfers.noteFileStarvation()
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
