#if canImport(Glibc)
    import CCurl
    import Foundation

    /// The live transfers of a loop and its idle handles. Confined to the loop's thread.
    struct CurlTransferSet: ~Copyable {
        private let multi: CurlMulti
        private let configuration: TransportConfiguration
        private let proxy: CurlProxy
        private let isHTTP1Only: Bool
        /// The user agent, if it may not be sent; empty if it may, so that no exchange has to look.
        private let forbiddenUserAgent: String
        /// Keeps alive the objects to which libcurl has a pointer.
        private var live: [CurlTransfer] = []
        private var idleHandles: [CurlHandle] = []
        private var servers = SecureServers()
        /// Exchanges that wait for another one to connect to their server, in order of arrival.
        private var waiting: [CurlTransfer] = []
        /// Servers to which a first connection is being made.
        private var connecting: [SecureServer] = []
        private var now = Duration.zero
        /// No transfer times out before this time.
        private var earliestDeadline = Duration.seconds(Int64.max)
        /// The duration of the latest wait; initially treated as long.
        var latestWait = Duration.seconds(Int64.max)

        /// The number of connections that libcurl keeps, including those in use.
        private var cacheSize = 0
        private static let usualCacheSize = 128

        /// A few times the cost of putting the thread to sleep and waking it. Over a high-latency link,
        /// responses take longer than this.
        private static let shortWait = Duration.microseconds(100)
        /// Whether polling is worthwhile. With a single processor, the thread being waited for needs it.
        private static let mayLookAgain = ProcessInfo.processInfo.activeProcessorCount > 1

        init(multi: CurlMulti, configuration: TransportConfiguration) {
            self.multi = multi
            self.configuration = configuration
            let proxy = CurlProxy(configured: configuration.proxy)
            self.proxy = proxy
            isHTTP1Only = configuration.httpVersion == .http1 || proxy.isLimitedToHTTP1()
            let userAgent = configuration.userAgent
            forbiddenUserAgent = userAgent.utf8.contains(where: \.isForbiddenInValue) ? userAgent : ""
            now = Self.clock()
            // libcurl's default is four for each live transfer, so at the end of a batch it would close connections
            // that the next batch could use. The cap on requests assumes one idle connection per request.
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
                try transfer.exchange.checkSendable(userAgent: forbiddenUserAgent)
                try transfer.exchange.refuseNetworkRules()
            } catch {
                transfer.complete(error)
                return
            }
            // The transfer may have been assigned to a server before.
            transfer.leaveServer()
            if !isHTTP1Only, let server = servers.server(of: url) {
                transfer.forcesHTTP1 =
                    requiresHTTP1(transfer) || mayLoseAnswer(transfer) && server.sharesConnections != false
                if !transfer.forcesHTTP1 {
                    transfer.beginWaiting(for: server, now: Self.clock())
                    guard admit(transfer, to: server) else { return hold(transfer) }
                }
            }
            send(transfer, to: url)
        }

        /// Whether the server of a transfer does, or seems to.
        private func requiresHTTP1(_ transfer: CurlTransfer) -> Bool {
            transfer.http2Refusal != nil || multi.requiringHTTP1.contains(transfer.exchange.url)
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

        /// Whether libcurl may lose a response over HTTP/2 that comes before all content was sent. Before 8.7 it
        /// reports a failure if the server wants no more of the content, unless all of it fits into the server's first
        /// window.
        private func mayLoseAnswer(_ transfer: CurlTransfer) -> Bool {
            guard CurlLibrary.version < 0x08_07_00, transfer.exchange.body != nil else { return false }
            return transfer.exchange.body.map { $0.length > 64 * 1024 } ?? false
        }

        /// Hands an admitted exchange to libcurl.
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
                    URLError(
                        .unknown,
                        userInfo: [NSLocalizedDescriptionKey: "curl_multi_add_handle failed with code \(code)."]))
                return
            }
            // Not the turn's time, because the loop may have slept since.
            transfer.begin(on: handle, at: live.count, now: Self.clock())
            earliestDeadline = min(earliestDeadline, transfer.deadline)
            live.append(transfer)
            // libcurl counts connections in use, too. Above the limit it would close each one as soon as it becomes
            // free.
            if configuration.maxConnections == nil, live.count > cacheSize { setCacheSize(live.count) }
        }

        /// Fails an exchange that libcurl has not accepted.
        private mutating func giveBack(_ transfer: CurlTransfer, _ error: URLError) {
            _ = transfer.server?.end(transfer)
            transfer.complete(error)
        }

        /// Notes which exchanges have a connection. Call this before handing over more exchanges: until libcurl starts
        /// with one, its handle still reports about its previous exchange.
        private mutating func noteConnections() {
            connecting.removeAll { server in
                server.settle()
                return !server.hasPioneer
            }
            guard now >= earliestDeadline else { return }
            for transfer in live where transfer.handle?.isConnected == true { transfer.noteConnection() }
        }

        /// Hands over the exchanges that need not wait for another one's connection any more; returns whether there
        /// were any.
        private mutating func admitWaiting() -> Bool {
            guard waiting.contains(where: { $0.server?.hasPioneer == false }) else { return false }
            let candidates = waiting.filter(\.isDeferred)
            waiting = []
            for transfer in candidates {
                if requiresHTTP1(transfer) {
                    transfer.isDeferred = false
                    start(transfer)
                    continue
                }
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

        /// Continues a transfer that its receiver has paused.
        mutating func resume(_ transfer: CurlTransfer) {
            let wasPaused = transfer.pauses.isPausedByReceiver
            transfer.pauses.isPausedByReceiver = false
            // Ask the pacer again, which may also require a wait.
            if transfer.handle != nil, wasPaused || transfer.pauses.isPaused { resume(transfer, now: Self.clock()) }
        }

        mutating func cancelAll() {
            for transfer in waiting where transfer.isDeferred { cancel(transfer) }
            waiting = []
            while let transfer = live.last { cancel(transfer) }
        }

        /// Lets libcurl work and reports finished transfers; returns whether there were any.
        mutating func perform() -> Bool {
            guard !live.isEmpty || !waiting.isEmpty else { return false }
            now = Self.clock()
            var due: [CurlTransfer] = []
            for transfer in live {
                transfer.now = now
                if let time = transfer.pauses.resumeTime, time <= now { due.append(transfer) }
            }
            for transfer in due { resume(transfer, now: now) }
            var running: Int32 = 0
            _ = ccurl_multi_perform(multi.pointer, &running)
            // Do this here, before more exchanges are handed over.
            noteConnections()

            var hasFinishedAny = false
            var code: Int32 = 0
            while let easy = ccurl_multi_next_finished(multi.pointer, &code) {
                var context: UnsafeMutableRawPointer?
                _ = ccurl_easy_get_pointer(easy, CCURLINFO_PRIVATE, &context)
                guard let transfer = CurlHandle.withTransfer(of: context, { transfer, _ in transfer }) else { continue }
                if transfer.canStartOver(code: code), startOver(transfer) { continue }
                if prepareToSendAgain(transfer, code: code) {
                    takeBack(transfer)
                    start(transfer)
                    continue
                }
                let outcome = transfer.outcome(code: code)
                remove(transfer)
                // No connection was made in time, so those that exist may be dead, too.
                if outcome?.code == .timedOut { abandonIdleConnections(to: origin(of: transfer)) }
                transfer.complete(outcome)
                hasFinishedAny = true
            }
            let hasExpiredAny = expire()
            return admitWaiting() || hasExpiredAny || hasFinishedAny
        }

        /// Prepares a transfer that its server has not processed to be sent again; returns whether it may be.
        private func prepareToSendAgain(_ transfer: CurlTransfer, code: Int32) -> Bool {
            if transfer.hasRunOutOfRepeats(code: code), !hasAnswered(since: transfer) {
                // The server may demand HTTP/1.1 (RFC 9113, section 7, HTTP_1_1_REQUIRED). libcurl does not tell that
                // from other refusals.
                transfer.fallBackToHTTP1(after: code)
            } else if transfer.mayBeRefused(code: code) {
                transfer.repeat()
            } else if transfer.isOutOfStep(code: code) {
                transfer.leaveConnection()
            } else {
                return false
            }
            return true
        }

        /// Whether the server of a transfer has answered any exchange over HTTP/2 since that transfer started.
        private func hasAnswered(since transfer: CurlTransfer) -> Bool {
            guard let server = transfer.server, let time = transfer.startTime else { return false }
            for other in live where other.server === server { server.noteArrival(for: other) }
            return server.latestArrival > time
        }

        /// Sleeps until a socket is ready, a deadline is near, or the loop is woken.
        ///
        /// After a short wait the next one is probably short, too, so the loop first looks a few times. Sleeping and
        /// waking would take longer. More looks would keep the processor from the server that the loop waits for.
        ///
        /// - Parameter hasMessages: called while the loop polls, because a wake-up has no effect then.
        mutating func wait(unless hasMessages: () -> Bool) {
            let start = Self.clock()
            defer { latestWait = Self.clock() - start }
            if latestWait < Self.shortWait, !live.isEmpty, Self.mayLookAgain {
                var ready: Int32 = 0
                for _ in 0..<4 {
                    _ = ccurl_multi_poll(multi.pointer, 0, &ready)
                    if ready > 0 || hasMessages() { return }
                }
            }
            _ = ccurl_multi_poll(multi.pointer, timeToWait(from: start), nil)
        }

        /// The number of milliseconds until a deadline, or until libcurl must look at its connections again.
        func timeToWait(from now: Duration) -> Int32 {
            guard !live.isEmpty else { return .max }
            var earliest = earliestDeadline
            for transfer in live {
                if let time = transfer.pauses.resumeTime { earliest = min(earliest, time) }
                if transfer.isConnecting { earliest = min(earliest, now + connectInterval) }
            }
            return Int32(clamping: max(earliest - now, .zero).wholeMilliseconds)
        }

        /// How often to let libcurl work while it connects. Its timer for trying the next address of a host may go off a
        /// moment too early and is then not set again.
        private var connectInterval: Duration {
            min(.seconds(1), max(.milliseconds(10), configuration.connectTimeout / 10))
        }

        /// Resumes a transfer. This may deliver what libcurl has held back for it, and end it.
        private mutating func resume(_ transfer: CurlTransfer, now: Duration) {
            let code = transfer.resume(now: now)
            earliestDeadline = min(earliestDeadline, transfer.deadline)
            guard code != 0 else { return }
            let outcome = transfer.outcome(code: code)
            remove(transfer)
            transfer.complete(outcome)
        }

        /// Makes a transfer send its content again over a new connection; returns whether that succeeded.
        ///
        /// libcurl does this by itself if it cannot receive, but not in all versions if it cannot send. Before 7.73 a
        /// failure to send is how it learns of a connection that was closed within the last second, because it does not
        /// check a connection before reusing it.
        private func startOver(_ transfer: CurlTransfer) -> Bool {
            guard let handle = transfer.handle else { return false }
            _ = ccurl_multi_remove_handle(multi.pointer, handle.easy)
            handle.demandConnection()
            transfer.startOver()
            return ccurl_multi_add_handle(multi.pointer, handle.easy) == 0
        }

        /// Ends the transfers that have timed out; returns whether there were any.
        private mutating func expire() -> Bool {
            guard now >= earliestDeadline else { return false }
            for transfer in live { transfer.server?.noteArrival(for: transfer) }
            waiting.removeAll { !$0.isDeferred }
            let expired = (waiting + live).filter { $0.deadline <= now }
            let silent = expired.filter { !$0.isDeferred && $0.isSilent(at: now) }.compactMap { transfer in
                transfer.handle.map { _ in (transfer.server, origin(of: transfer)) }
            }
            for transfer in expired {
                if transfer.isDeferred { transfer.isDeferred = false } else { remove(transfer) }
            }
            for (server, origin) in silent {
                if let server {
                    server.noteSilence(of: live.filter { $0.server === server && $0.connection != nil }, at: now)
                }
                abandonIdleConnections(to: origin)
            }
            for transfer in expired { transfer.complete(URLError(.timedOut)) }
            waiting.removeAll { !$0.isDeferred }
            earliestDeadline = (waiting + live).reduce(.seconds(Int64.max)) { min($0, $1.deadline) }
            return !expired.isEmpty
        }

        /// Ends the connections to an origin that no exchange uses, because they may be dead: behind a line that has
        /// failed, nothing tells that until a request over them times out.
        private func abandonIdleConnections(to origin: Origin?) {
            multi.sockets.abandon(origin, except: Set(live.compactMap(\.connection)))
        }

        private func origin(of transfer: CurlTransfer) -> Origin? { proxy.connectionOrigin(of: transfer.exchange) }

        private mutating func remove(_ transfer: CurlTransfer) {
            transfer.collect()
            takeBack(transfer)
        }

        /// Takes an exchange back from libcurl.
        private mutating func takeBack(_ transfer: CurlTransfer) {
            guard let handle = transfer.handle else { return }
            let isLastOfDeadConnection = transfer.server?.end(transfer) == true
            _ = ccurl_multi_remove_handle(multi.pointer, handle.easy)
            let last = live.removeLast()
            if last !== transfer {
                live[transfer.index] = last
                last.index = transfer.index
            }
            transfer.handle = nil
            if isLastOfDeadConnection { abandonIdleConnections(to: origin(of: transfer)) }
            handle.recycle(isShared: transfer.isShared)
            idleHandles.append(handle)
        }

        /// A clock that stops while the system sleeps, so that this time does not count toward a timeout.
        private static func clock() -> Duration { .time(of: CLOCK_MONOTONIC) }
    }
#endif
