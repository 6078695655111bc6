#if canImport(Glibc)
    import CCurl
    import Foundation

    /// The live transfers of a loop and the handles at rest. Belongs to the loop's thread.
    struct CurlTransferSet: ~Copyable {
        private let multi: CurlMulti
        private let configuration: TransportConfiguration
        private let proxy: CurlProxy
        private let isHTTP1Only: Bool
        /// Keeps alive what libcurl has a pointer to.
        private var live: [CurlTransfer] = []
        private var idleHandles: [CurlHandle] = []
        private var servers = SecureServers()
        /// Exchanges that wait for the connection of another one to their server, in the order in which they came.
        private var waiting: [CurlTransfer] = []
        /// Servers to which a first connection is being made.
        private var connecting: [SecureServer] = []
        private var now = Duration.zero
        /// No live transfer times out before this moment.
        private var earliestDeadline = Duration.seconds(Int64.max)
        /// How long the latest wait took; at first, as if it had been long.
        var latestWait = Duration.seconds(Int64.max)

        /// How many connections libcurl keeps, those in use among them.
        private var cacheSize = 0
        private static let usualCacheSize = 128

        /// A few times what it takes to be put to sleep and woken. What comes over a long line takes longer.
        private static let shortWait = Duration.microseconds(100)
        /// Where there is one processor, the thread that is waited for needs it.
        private static let mayLookAgain = ProcessInfo.processInfo.activeProcessorCount > 1

        init(multi: CurlMulti, configuration: TransportConfiguration) {
            self.multi = multi
            self.configuration = configuration
            let proxy = CurlProxy(configured: configuration.proxy)
            self.proxy = proxy
            isHTTP1Only = configuration.httpVersion == .http1 || proxy.isLimitedToHTTP1()
            now = Self.clock()
            // libcurl's own default is four for each live transfer: when a batch runs out, it would close the
            // connections that the next one could use. The cap on requests reckons with one idle connection for each of
            // them.
            setCacheSize(min(configuration.maxConnections ?? Self.usualCacheSize, RequestCap.shared.limit))
        }

        private mutating func setCacheSize(_ size: Int) {
            cacheSize = size
            _ = ccurl_multi_set_long(multi.pointer, CCURLMOPT_MAXCONNECTS, size)
        }

        mutating func start(_ transfer: CurlTransfer) {
            if transfer.isCancelled {
                transfer.complete(URLError(.cancelled))
                return
            }
            let url: String
            do {
                url = try transfer.exchange.wireURL()
                try transfer.exchange.checkSendable(userAgent: configuration.userAgent)
                try transfer.exchange.refuseNetworkRules()
            } catch {
                transfer.complete(error)
                return
            }
            // It may have had one before.
            transfer.leaveServer()
            if !isHTTP1Only, let server = servers.server(of: url) {
                transfer.forcesHTTP1 = mayLoseAnswer(transfer) && server.sharesConnections != false
                if !transfer.forcesHTTP1 {
                    transfer.beginWaiting(for: server, now: Self.clock())
                    guard admit(transfer, to: server) else { return hold(transfer) }
                }
            }
            send(transfer, to: url)
        }

        private mutating func admit(_ transfer: CurlTransfer, to server: SecureServer) -> Bool {
            guard server.admit(transfer) else { return false }
            if server.hasPioneer, !connecting.contains(where: { $0 === server }) { connecting.append(server) }
            return true
        }

        private mutating func hold(_ transfer: CurlTransfer) {
            transfer.isDeferred = true
            earliestDeadline = min(earliestDeadline, transfer.deadline)
            waiting.append(transfer)
        }

        /// Whether libcurl may lose the response to an exchange over HTTP/2, where it comes before all content has been
        /// sent: before 8.7 it takes that a server wants no more of it for a failure, unless everything fits into the
        /// server's first window.
        private func mayLoseAnswer(_ transfer: CurlTransfer) -> Bool {
            guard CurlLibrary.version < 0x08_07_00, transfer.exchange.body != nil else { return false }
            return transfer.exchange.body.map { $0.length > 64 * 1024 } ?? false
        }

        /// Hands an exchange that may go to libcurl.
        private mutating func send(_ transfer: CurlTransfer, to url: String) {
            guard
                let handle = idleHandles.popLast()
                    ?? CurlHandle(multi: multi, configuration: configuration, proxy: proxy)
            else { return giveBack(transfer, URLError(.resourceUnavailable)) }
            handle.prepare(for: transfer, url: url)
            let code = ccurl_multi_add_handle(multi.pointer, handle.easy)
            guard code == 0 else {
                handle.recycle()
                giveBack(
                    transfer,
                    URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: "curl_multi_add_handle: \(code)"]))
                return
            }
            // Not the turn's time: the loop may have slept since.
            transfer.begin(on: handle, at: live.count, now: Self.clock())
            earliestDeadline = min(earliestDeadline, transfer.deadline)
            live.append(transfer)
            // libcurl counts those in use, too, and with more of them it would close each as soon as it comes free.
            if configuration.maxConnections == nil, live.count > cacheSize { setCacheSize(live.count) }
        }

        /// Ends an exchange that libcurl has not got.
        private mutating func giveBack(_ transfer: CurlTransfer, _ error: URLError) {
            transfer.server?.end(transfer)
            transfer.complete(error)
        }

        /// Notes which exchanges have a connection. To be called before more exchanges are handed over: until libcurl
        /// begins with one, its handle tells about its last exchange.
        private mutating func noteConnections() {
            connecting.removeAll { server in
                server.settle()
                return !server.hasPioneer
            }
            guard now >= earliestDeadline else { return }
            for transfer in live where transfer.handle?.isConnected == true { transfer.noteConnection() }
        }

        /// Hands over the exchanges that need not wait for another one's connection any more; returns whether there was
        /// any.
        private mutating func admitWaiting() -> Bool {
            guard waiting.contains(where: { $0.server?.hasPioneer == false }) else { return false }
            let candidates = waiting.filter(\.isDeferred)
            waiting = []
            for transfer in candidates {
                guard let server = transfer.server, admit(transfer, to: server) else {
                    waiting.append(transfer)
                    continue
                }
                transfer.isDeferred = false
                do { send(transfer, to: try transfer.exchange.wireURL()) } catch { giveBack(transfer, error) }
            }
            return waiting.count < candidates.count
        }

        mutating func cancel(_ transfer: CurlTransfer) {
            if transfer.isDeferred {
                transfer.isDeferred = false
            } else {
                guard transfer.handle != nil else { return }
                remove(transfer)
            }
            transfer.complete(URLError(.cancelled))
        }

        /// Goes on with a transfer that its receiver has paused.
        mutating func resume(_ transfer: CurlTransfer) {
            transfer.pause.isPausedByReceiver = false
            // The pace, which may have to be waited for too, is asked again.
            if transfer.handle != nil, transfer.pause.isPaused { resume(transfer, now: Self.clock()) }
        }

        mutating func cancelAll() {
            for transfer in waiting where transfer.isDeferred { cancel(transfer) }
            waiting = []
            while let transfer = live.last { cancel(transfer) }
        }

        /// Lets libcurl work and reports what has ended; returns whether anything did.
        mutating func perform() -> Bool {
            guard !live.isEmpty || !waiting.isEmpty else { return false }
            now = Self.clock()
            var due: [CurlTransfer] = []
            for transfer in live {
                transfer.now = now
                if let time = transfer.pause.resumeTime, time <= now { due.append(transfer) }
            }
            for transfer in due { resume(transfer, now: now) }
            var running: Int32 = 0
            _ = ccurl_multi_perform(multi.pointer, &running)
            // Here, where no exchange is about to connect.
            noteConnections()

            var hasFinishedAny = false
            var code: Int32 = 0
            while let easy = ccurl_multi_next_finished(multi.pointer, &code) {
                var context: UnsafeMutableRawPointer?
                _ = ccurl_easy_get_pointer(easy, CCURLINFO_PRIVATE, &context)
                guard let transfer = CurlHandle.withTransfer(of: context, { transfer, _ in transfer }) else { continue }
                if transfer.canStartOver(code: code), startOver(transfer) { continue }
                if transfer.mayBeRefused(code: code) {
                    transfer.countRepeat()
                    transfer.startOver()
                    takeBack(transfer)
                    start(transfer)
                    continue
                }
                if transfer.isOutOfStep(code: code) {
                    transfer.leaveConnection()
                    takeBack(transfer)
                    start(transfer)
                    continue
                }
                let outcome = transfer.outcome(code: code)
                remove(transfer)
                transfer.complete(outcome)
                hasFinishedAny = true
            }
            let hasExpiredAny = expire()
            return admitWaiting() || hasExpiredAny || hasFinishedAny
        }

        /// Sleeps until a socket is ready, a deadline is near, or the loop is woken.
        ///
        /// After a short wait the next one will be short, too: then it looks again and again for a moment. To be put to
        /// sleep and woken would take more time and, where responses come as fast as they can be dealt with, more of
        /// the processor.
        ///
        /// - Parameter hasMessages: looked at while the loop does not sleep, since a wake-up counts for nothing then.
        mutating func wait(unless hasMessages: () -> Bool) {
            let start = Self.clock()
            defer { latestWait = Self.clock() - start }
            if latestWait < Self.shortWait, !live.isEmpty, Self.mayLookAgain {
                var ready: Int32 = 0
                repeat {
                    _ = ccurl_multi_poll(multi.pointer, 0, &ready)
                    if ready > 0 || hasMessages() { return }
                } while Self.clock() - start < Self.shortWait / 2
            }
            var milliseconds = Int32.max
            if !live.isEmpty {
                let deadline = earliestDeadline
                let earliest = live.reduce(deadline) { min($0, $1.pause.resumeTime ?? $0) }
                let left = max(earliest - Self.clock(), .zero)
                milliseconds = Int32(clamping: left.wholeMilliseconds)
            }
            _ = ccurl_multi_poll(multi.pointer, milliseconds, nil)
        }

        /// Lets a transfer go on, which may hand over what libcurl has held back for it, and end it.
        private mutating func resume(_ transfer: CurlTransfer, now: Duration) {
            let code = transfer.resume(now: now)
            earliestDeadline = min(earliestDeadline, transfer.deadline)
            guard code != 0 else { return }
            let outcome = transfer.outcome(code: code)
            remove(transfer)
            transfer.complete(outcome)
        }

        /// Lets a transfer send its content again over a new connection; returns whether it does.
        ///
        /// libcurl does so by itself where it cannot receive, but not in all versions where it cannot send. Before 7.73
        /// that is how it learns of a connection that was closed within the last second: it does not look before it
        /// uses one again.
        private func startOver(_ transfer: CurlTransfer) -> Bool {
            guard let handle = transfer.handle else { return false }
            _ = ccurl_multi_remove_handle(multi.pointer, handle.easy)
            handle.demandConnection()
            transfer.startOver()
            return ccurl_multi_add_handle(multi.pointer, handle.easy) == 0
        }

        /// Ends the transfers whose time is up; returns whether there was any.
        private mutating func expire() -> Bool {
            guard now >= earliestDeadline else { return false }
            for transfer in live { transfer.server?.noteArrival(for: transfer) }
            waiting.removeAll { !$0.isDeferred }
            let expired = (waiting + live).filter { $0.deadline <= now }
            for transfer in expired {
                if transfer.isDeferred { transfer.isDeferred = false } else { remove(transfer) }
                transfer.complete(URLError(.timedOut))
            }
            waiting.removeAll { !$0.isDeferred }
            earliestDeadline = (waiting + live).reduce(.seconds(Int64.max)) { min($0, $1.deadline) }
            return !expired.isEmpty
        }

        private mutating func remove(_ transfer: CurlTransfer) {
            transfer.collect()
            takeBack(transfer)
        }

        /// Takes an exchange from libcurl.
        private mutating func takeBack(_ transfer: CurlTransfer) {
            guard let handle = transfer.handle else { return }
            transfer.server?.end(transfer)
            _ = ccurl_multi_remove_handle(multi.pointer, handle.easy)
            let last = live.removeLast()
            if last !== transfer {
                live[transfer.index] = last
                last.index = transfer.index
            }
            transfer.handle = nil
            handle.recycle(isShared: transfer.isShared)
            idleHandles.append(handle)
        }

        /// Stands still while the system sleeps: what is silent then has not timed out.
        private static func clock() -> Duration { .time(of: CLOCK_MONOTONIC) }
    }
#endif
