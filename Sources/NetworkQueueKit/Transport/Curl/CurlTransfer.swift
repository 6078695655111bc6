#if canImport(Glibc)
    import CCurl
    import Foundation
    import Synchronization

    /// One exchange that libcurl performs.
    ///
    /// Unchecked: everything but `isCancelled` belongs to the loop's thread once the transfer has been posted there.
    final class CurlTransfer: ExchangeHandle, @unchecked Sendable {
        let exchange: HTTPExchange
        /// The handle while the transfer is live.
        var handle: CurlHandle?
        /// Where the transfer stands among the live ones.
        var index = 0
        /// The loop's time of this turn; reading the clock for every packet would cost more than the bookkeeping.
        var now = Duration.zero

        /// Why the transfer stands still, if it does.
        var pause = CurlPause()

        let receiver: any ExchangeReceiver
        private let loop: CurlLoop
        private let idleTimeout: Duration
        private let totalTimeout: Duration?
        private let connectTimeout: Duration
        private let cancelled = Atomic(false)
        /// Whether a configured proxy stands between that speaks HTTP.
        let hasProxy: Bool
        /// Whether content over TLS that tells no length needs the closing alert.
        let needsClosingAlert: Bool
        /// The number of the TLS session whose end is that of the content; 0 for none.
        var session: UInt = 0
        /// Whether the content may end with its connection, announced or not.
        var mayEndUnannounced = false
        /// A proxy's refusal to connect.
        var refusal: ResponseHead?
        var failure: URLError?
        /// That of the response, once there is one.
        var httpVersion: String?
        /// Whether its connection is one that others may use at the same time, as far as the response tells.
        var isShared: Bool { httpVersion.map { !$0.hasPrefix("HTTP/1") } ?? (server != nil) }
        /// The https server, unless it is spoken to by HTTP/1.1 in any case.
        private(set) var server: SecureServer?
        /// Whether it goes by HTTP/1.1, whatever its server offers.
        var forcesHTTP1 = false
        /// Whether its server is asked whether it wants the content.
        var expectsContinue = false
        /// Whether it waits for the connection of another exchange.
        var isDeferred = false
        /// How often the request has been sent again as libcurl may have left that out.
        private var repeatCount = 0
        /// As often as libcurl itself sends one again.
        private static let maximumRepeats = 5
        /// Whether it is not sent over a connection that has been used before, as one of these has failed it.
        private(set) var needsConnection = false
        /// Whether something was there on its connection before the request, which has not been sent.
        private(set) var isStale = false
        /// What was asked for last on its connection, if that was by HEAD.
        private var previousHead: URL?
        /// Whether its response belongs to nothing that has been asked for, or to what need not be asked.
        var isUnasked = false
        /// What libcurl has measured, kept from before the handle is given back.
        private var metrics: ExchangeMetrics?
        var bodyOffset: Int64 = 0
        var bytesSent: Int64 = 0
        /// When the first try began.
        private var startTime: Duration?
        /// Since when this try has waited for a connection; `nil` once it has one, or if libcurl alone limits that
        /// time.
        private var connectionWaitStart: Duration?
        var latestActivity = Duration.zero
        /// When something of the response last came.
        var latestArrival = Duration.zero
        /// How much content is still to come; `nil` where that is not known.
        var missing: Int64?

        init(
            _ exchange: HTTPExchange, receiver: any ExchangeReceiver, configuration: TransportConfiguration,
            loop: CurlLoop
        ) {
            self.exchange = exchange
            self.receiver = receiver
            self.loop = loop
            hasProxy = configuration.hasHTTPProxy
            needsClosingAlert = !configuration.allowsIncompleteTLSClose
            idleTimeout = exchange.idleTimeout ?? configuration.idleTimeout
            totalTimeout = exchange.totalTimeout ?? configuration.totalTimeout
            connectTimeout = configuration.connectTimeout
        }

        var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

        /// The moment at which the transfer times out unless something happens.
        var deadline: Duration {
            // What is paused on this side does not count as silence of the server's.
            let activity = max(latestActivity, server?.sharedArrival ?? .zero)
            let idle = pause.isPaused ? .seconds(Int64.max / 2) : activity + idleTimeout
            let total = totalTimeout.flatMap { limit in startTime.map { $0 + limit } }
            let connection = connectionWaitStart.map { $0 + connectTimeout + Self.connectTimeoutSlack }
            return min(idle, total ?? idle, connection ?? idle)
        }

        /// Lets libcurl end an exchange first that connects itself: it knows why that failed.
        private static let connectTimeoutSlack = Duration.milliseconds(100)

        func cancel() {
            if !cancelled.exchange(true, ordering: .acquiringAndReleasing) { loop.post(.cancel(self)) }
        }

        func resume() {
            loop.post(.resume(self))
        }

        func begin(on handle: CurlHandle, at index: Int, now: Duration) {
            self.handle = handle
            self.index = index
            self.now = now
            noteStart(now)
            pause.mark = exchange.pacer?.charge(0) ?? 0
        }

        private func noteStart(_ now: Duration) {
            startTime = startTime ?? now
            latestActivity = now
        }

        func leaveServer() {
            server = nil
            connectionWaitStart = nil
        }

        /// Begins to wait for a connection, which another exchange with the server may have to make.
        func beginWaiting(for server: SecureServer, now: Duration) {
            self.server = server
            noteStart(now)
            // With HTTP/1.1 each connects for itself.
            connectionWaitStart = server.sharesConnections == false ? nil : now
        }

        /// Notes that it has a connection.
        func noteConnection() { connectionWaitStart = nil }

        /// Notes that the request is about to be sent: until now the server could not answer. libcurl before 7.80 does
        /// not tell.
        func beginSending() {
            noteConnection()
            latestActivity = now
        }

        /// Lets libcurl go on where nothing speaks against it any more; returns its code.
        func resume(now: Duration) -> Int32 {
            self.now = now
            latestActivity = now
            guard let handle, pause.isPaused else { return 0 }
            let receiving = pause.isPausedByReceiver ? CCURLPAUSE_RECV : 0
            pause.resume()
            return ccurl_easy_pause(handle.easy, Int32(receiving))
        }

        /// Whether `code` tells that a connection which had been used before was lost while the content was being sent:
        /// the server has not got the whole request, and probably closed the connection before it got any of it.
        func canStartOver(code: Int32) -> Bool {
            let sendError: Int32 = 55
            guard code == sendError, bodyOffset > 0, isUnanswered, let handle else { return false }
            return !handle.hasConnected
        }

        /// Whether `code` may tell that a server that leaves has refused the request (RFC 9113, section 6.8), and the
        /// request may be sent again in any case.
        ///
        /// libcurl sends again what a server refuses. But before 8.0, the last such request on a connection without any
        /// other ends with a code for all errors of HTTP/2, and without a word: so it may have been processed, too.
        ///
        /// It also gives up after five repeats. If a server takes few streams and many exchanges wait for a connection,
        /// the server refuses all but those few on each new one, because libcurl sends before it knows the limit. The
        /// request is sent again under the conditions under which libcurl has done so five times, unless the server
        /// answers nothing at all.
        func mayBeRefused(code: Int32) -> Bool {
            guard code != 0, isUnanswered, repeatCount < Self.maximumRepeats, let handle else { return false }
            if handle.errorMessage.hasPrefix("Connection died, tried") { return server?.sharesConnections == true }
            let http2Error: Int32 = 16
            return code == http2Error && CurlLibrary.version < 0x08_00_00 && exchange.isIdempotent
                && handle.errorMessage.isEmpty
        }

        /// Whether no other exchange has its connection at the same time, as far as that is known before the response.
        var speaksHTTP1: Bool { server.map { $0.sharesConnections == false } ?? true }

        /// Notes that it is about to be sent over a connection that has been used before.
        ///
        /// - Parameters:
        ///   - previousHead: what was asked for last, if that was by HEAD.
        ///   - isStale: whether it is not sent after all.
        func begin(after previousHead: URL?, isStale: Bool) {
            self.previousHead = previousHead
            self.isStale = isStale
        }

        /// Whether `code` tells that the request is to be sent over a new connection, as the one that was used before
        /// is out of step: it has not been sent, or what was read instead of a response's head was none.
        ///
        /// That may have been there before the request, whose response is unknown then.
        func isOutOfStep(code: Int32) -> Bool {
            if isStale { return !isCancelled && code == 42 }
            if isUnasked { return !isCancelled }
            guard mayLeaveConnection, let head = handle?.head, !head.hasInterim else { return false }
            guard !head.isComplete, failure == nil || head.fault != nil else { return false }
            // 0 for a head that is cut short, with libcurl before 8; 23 for what is no head to the parser.
            guard [0, 1, 8, 18, 23, 27, 52, 55, 56, 100].contains(code) else { return false }
            // No status line at all.
            if code == 1 || code == 8, let previousHead {
                handle?.multi.sockets.contentAfterHead.insert(previousHead)
            }
            return true
        }

        /// Whether its connection was used before and may be left for another one, over which the request is sent once
        /// more.
        var mayLeaveConnection: Bool {
            guard !isCancelled, !needsConnection, httpVersion == nil, exchange.isIdempotent, speaksHTTP1 else {
                return false
            }
            return handle?.hasConnected == false
        }

        /// Gets ready to be sent once more, over a new connection.
        func leaveConnection() {
            needsConnection = true
            isStale = false
            isUnasked = false
            failure = nil
            startOver()
        }

        /// Notes that the request is sent again as it may have been refused.
        func countRepeat() { repeatCount += 1 }

        /// Whether nothing of a response is there, and the exchange is still wanted.
        private var isUnanswered: Bool { !isCancelled && failure == nil && handle?.head.isEmpty == true }

        /// Whether `code` tells that there was no descriptor for a connection, for looking up the name of its host, or
        /// for reading a certificate.
        ///
        /// libcurl reports only what it could not do, so this tries whether as many are free as that takes at most.
        private func lacksDescriptor(code: Int32) -> Bool {
            switch code {
            // A look-up takes a pair of sockets, a socket or a file, and the connection.
            case 5, 6: isUnanswered && !POSIXFile.areDescriptorsFree(4)
            case 7: isUnanswered && !POSIXFile.areDescriptorsFree(1)
            // Certificates are read from files beside the connection.
            case 58, 77: isUnanswered && !POSIXFile.areDescriptorsFree(2)
            default: false
            }
        }

        /// Gets ready to send the content from its beginning.
        func startOver() {
            bodyOffset = 0
            bytesSent = 0
            pause.resume()
            latestActivity = now
        }

        /// Keeps what the handle knows of the exchange, which is about to be taken from it.
        func collect() {
            metrics = handle?.metrics(httpVersion: httpVersion)
        }

        func complete(_ error: URLError?) {
            if let metrics = metrics.take() { receiver.exchange(didCollect: metrics) }
            receiver.exchangeDidComplete(error: error)
        }

        /// What `code` means for this transfer; `nil` when the response is whole.
        func outcome(code: Int32) -> URLError? {
            if isCancelled { return URLError(.cancelled) }
            if let failure { return failure }
            // Of the sending, or of what comes behind the response.
            if code != 0, missing == 0 { return nil }
            if code != 0, reportRefusal() { return failure }
            guard code == 0 else {
                // Newer versions refuse such an end by themselves.
                let receiveError: Int32 = 56
                let isAllowed = code == receiveError && mayEndUnannounced
                if isAllowed, handle?.errorMessage.contains("unexpected eof") == true { return nil }
                if lacksDescriptor(code: code) { return .noDescriptor }
                return URLError(curlCode: code, url: exchange.url, handle: handle)
            }
            // libcurl 7.88 takes a close in mid-header for the end of the response.
            guard handle?.head.isComplete == true else { return URLError(.networkConnectionLost) }
            // It takes any end of the connection for that of the content, too.
            if session != 0, !ccurl_tls_session_was_closed(session) { return URLError(.networkConnectionLost) }
            return nil
        }
    }
#endif
