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

        /// libcurl's set of transfers. Unchecked: it may be woken from any thread; all else is for the loop's thread.
        struct Multi: @unchecked Sendable {
            let pointer: UnsafeMutableRawPointer

            func wake() { _ = ccurl_multi_wakeup(pointer) }
        }

        private struct Inbox {
            var messages: [Message] = []
            /// Whether there is a thread, or one is being started.
            var isRunning = false
            /// Set while the thread is in, or about to enter, `curl_multi_poll`: only then does it need waking.
            var isAsleep = false
            var isStopped = false
            /// Made by the first thread that can, and there until the loop is gone: it may be woken at any time.
            var multi: Multi?
        }

        /// What libcurl and the system are asked for; replaced in tests by what fails.
        struct System: Sendable {
            /// Starts a thread; returns 0, or why it could not (an `errno`).
            var startThread: @Sendable (CurlLoop) -> Int32 = CurlLoop.startThread
            /// A multi handle that can be woken; `nil` where the system lacks what it takes.
            var makeMulti: @Sendable () -> Multi? = CurlLoop.makeMulti
        }

        private static let defaultMaximumConnections = 128

        private let inbox = Guarded(Inbox())
        private let configuration: TransportConfiguration
        private let system: System

        init(configuration: TransportConfiguration, system: System = System()) {
            self.configuration = configuration
            self.system = system
        }

        deinit {
            if let multi = inbox.withLock({ $0.multi }) { _ = ccurl_multi_cleanup(multi.pointer) }
        }

        /// Hands a message to the thread, starting or waking it where needed.
        func post(_ message: Message) {
            let (mustStart, sleeper) = inbox.withLock { inbox -> (Bool, Multi?) in
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

        /// Made while no descriptor was free, a multi handle could never be woken, and only the attempt to wake it tells.
        private static func makeMulti() -> Multi? {
            guard let multi = ccurl_multi_init() else { return nil }
            guard ccurl_multi_wakeup(multi) == 0 else {
                _ = ccurl_multi_cleanup(multi)
                return nil
            }
            return Multi(pointer: multi)
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

        private func prepareMulti() -> UnsafeMutableRawPointer? {
            if let multi = inbox.withLock({ $0.multi }) { return multi.pointer }
            guard let made = system.makeMulti() else { return nil }
            let multi = made.pointer
            _ = ccurl_multi_set_long(multi, CCURLMOPT_PIPELINING, Int(CCURLPIPE_MULTIPLEX))
            // libcurl's own default is four for each live transfer: when a batch runs out, it would close the connections
            // that the next one could use.
            _ = ccurl_multi_set_long(
                multi, CCURLMOPT_MAXCONNECTS, configuration.maximumConnections ?? Self.defaultMaximumConnections)
            inbox.withLock { $0.multi = made }
            return multi
        }

        private func run() {
            var prepared = prepareMulti()
            while prepared == nil {
                guard
                    refuseWaiting("No file descriptor is free for it: close some files, or raise the limit for them.")
                else { return }
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
