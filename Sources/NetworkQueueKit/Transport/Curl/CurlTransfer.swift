#if canImport(Glibc)
    import CCurl
    import Foundation
    import Synchronization

    /// One exchange that libcurl performs.
    ///
    /// Unchecked: everything but `isCancelled` is confined to the loop's thread once the transfer was posted there.
    final class CurlTransfer: ExchangeHandle, @unchecked Sendable {
        let exchange: HTTPExchange
        /// The handle while the transfer is live.
        var handle: CurlHandle?
        /// The position among the live transfers.
        var index = 0
        /// The loop's time in this turn. Reading the clock for every packet would cost more than the bookkeeping.
        var now = Duration.zero

        /// The reasons why the transfer is paused, if it is.
        var pauses = CurlPause()

        let receiver: any ExchangeReceiver
        private let loop: CurlLoop
        private let idleTimeout: Duration
        private let totalTimeout: Duration?
        private let connectTimeout: Duration
        private let cancelled = Atomic(false)
        /// Whether requests go through a configured HTTP proxy.
        let hasProxy: Bool
        /// Whether content of unknown length over TLS must end with the closing alert.
        let needsClosingAlert: Bool
        /// The number of the TLS session whose end is the end of the content; 0 for none.
        var session: UInt = 0
        /// Whether the content may end with its connection, with or without the closing alert.
        var mayEndUnannounced = false
        /// The latest head with which a proxy answered CONNECT.
        var refusal: ResponseHead?
        var failure: URLError?
        /// The HTTP version of the response; `nil` until there is one.
        var httpVersion: String?
        /// Whether other exchanges may use its connection at the same time, as far as the response tells.
        var isShared: Bool { httpVersion.map { !$0.hasPrefix("HTTP/1") } ?? (server != nil) }
        /// The https server; `nil` if it is reached over HTTP/1.1 in any case.
        private(set) var server: SecureServer?
        /// Whether it uses HTTP/1.1, whatever its server offers.
        var forcesHTTP1 = false
        /// How its server seemed to refuse every request over HTTP/2, so that it uses HTTP/1.1; `nil` if it did not.
        private(set) var http2Refusal: URLError?
        /// Whether the request is sent with `Expect: 100-continue`.
        var expectsContinue = false
        /// Whether it waits for another exchange to make a connection.
        var isDeferred = false
        /// How often the request was sent again because libcurl may not have done so.
        private var repeatCount = 0
        /// The number of times that libcurl itself repeats a request.
        private static let maximumRepeats = 5
        /// Whether it needs a new connection because a reused one has failed it.
        private(set) var needsConnection = false
        /// The connection over which the request is sent; `nil` before.
        private(set) var connection: CurlSockets.Ends?
        /// Whether its connection had unread input, so that the request was not sent.
        private(set) var isStale = false
        /// The URL of the previous request on its connection, if that was a HEAD.
        private var previousHead: URL?
        /// Whether the response answers nothing that was requested, or refuses an `Expect` that can be omitted.
        var isUnasked = false
        /// libcurl's measurements, collected before the handle is given back.
        private var metrics: ExchangeMetrics?
        /// How many bytes the receiver has taken of those that libcurl will deliver again after a pause.
        var takenCount = 0
        var bodyOffset: Int64 = 0
        var bytesSent: Int64 = 0
        /// When the first try started.
        private(set) var startTime: Duration?
        /// Whether the transfer has no connection yet, as far as libcurl reports it.
        private(set) var isConnecting = true
        /// When this try started to wait for a connection; `nil` once it has one, or if only libcurl limits that time.
        private var connectionWaitStart: Duration?
        var latestActivity = Duration.zero
        /// When a part of the response last arrived.
        var latestArrival = Duration.zero
        /// The number of content bytes still to come; `nil` if unknown.
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
            idleTimeout = (exchange.idleTimeout ?? configuration.idleTimeout).bounded
            totalTimeout = (exchange.totalTimeout ?? configuration.totalTimeout)?.bounded
            connectTimeout = configuration.connectTimeout.bounded
        }

        var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

        /// When the transfer times out unless something happens.
        var deadline: Duration {
            let total = totalTimeout.flatMap { limit in startTime.map { $0 + limit } }
            let silence = silenceDeadline
            return min(silence, total ?? silence)
        }

        /// When the transfer times out unless its server does something.
        private var silenceDeadline: Duration {
            // A pause on this side does not count as silence of the server.
            let activity = max(latestActivity, server?.sharedArrival ?? .zero)
            let idle = pauses.isHeld ? .seconds(Int64.max / 2) : activity + idleTimeout
            let connection = connectionWaitStart.map { $0 + connectTimeout + Self.connectTimeoutSlack }
            return min(idle, connection ?? idle)
        }

        /// Whether the server has been silent for too long, so that its connections may be dead.
        func isSilent(at now: Duration) -> Bool { silenceDeadline <= now }

        /// Gives libcurl time to report that its own connection failed, because it knows the reason.
        private static let connectTimeoutSlack = Duration.milliseconds(100)

        func cancel() {
            if !cancelled.exchange(true, ordering: .acquiringAndReleasing) { loop.post(.cancel(self)) }
        }

        func pause() {
            loop.post(.pause(self))
        }

        func resume() {
            loop.post(.resume(self))
        }

        func begin(on handle: CurlHandle, at index: Int, now: Duration) {
            self.handle = handle
            self.index = index
            self.now = now
            noteStart(now)
            pauses.mark = exchange.pacer?.charge(0) ?? 0
        }

        private func noteStart(_ now: Duration) {
            startTime = startTime ?? now
            latestActivity = now
        }

        func leaveServer() {
            server = nil
            connectionWaitStart = nil
        }

        /// Starts to wait for a connection, which another exchange with the server may have to make.
        func beginWaiting(for server: SecureServer, now: Duration) {
            self.server = server
            noteStart(now)
            // Over HTTP/1.1 each exchange makes its own connection.
            connectionWaitStart = server.sharesConnections == false ? nil : now
        }

        /// Notes that the transfer has a connection.
        func noteConnection() {
            connectionWaitStart = nil
            isConnecting = false
        }

        /// Notes that the request is about to be sent; the server could not answer before. libcurl before 7.80 does not
        /// report this.
        func beginSending(over ends: CurlSockets.Ends) {
            noteConnection()
            connection = ends
            latestActivity = now
        }

        /// Tells libcurl to continue with what is no longer paused; returns its code.
        func resume(now: Duration) -> Int32 {
            self.now = now
            latestActivity = now
            guard let handle, pauses.isPaused else { return 0 }
            let receiving = pauses.isPausedByReceiver ? CCURLPAUSE_RECV : 0
            pauses.resume()
            return ccurl_easy_pause(handle.easy, Int32(receiving))
        }

        /// Whether `code` means that a reused connection was lost while the content was being sent. The server has not
        /// received the whole request, and probably closed the connection before it received any of it.
        func canStartOver(code: Int32) -> Bool {
            let sendError: Int32 = 55
            guard code == sendError, bodyOffset > 0, isUnanswered, let handle else { return false }
            return !handle.hasConnected
        }

        /// Whether `code` may mean that a server that is shutting down has refused the request (RFC 9113, section 6.8),
        /// and the request may be sent again in any case.
        ///
        /// libcurl itself repeats requests that a server refuses. But before 8.0, the last such request on a connection
        /// without others fails with the code for all errors of HTTP/2 and without a message, so it may also have been
        /// processed.
        ///
        /// libcurl also gives up after five repeats. If a server allows few streams and many exchanges wait for a
        /// connection, the server refuses all but those few on each new connection, because libcurl sends before it
        /// knows the limit. The request is then repeated under the same conditions as by libcurl, unless the server
        /// answers nothing at all.
        func mayBeRefused(code: Int32) -> Bool {
            guard repeatCount < Self.maximumRepeats, let handle, isRefusal(code) else { return false }
            return handle.hasGivenUp ? server?.sharesConnections == true : true
        }

        /// Whether `code` means that the server may have refused the request over HTTP/2 six times.
        func hasRunOutOfRepeats(code: Int32) -> Bool {
            guard let handle, server != nil, isRefusal(code) else { return false }
            return handle.hasGivenUp || repeatCount >= Self.maximumRepeats
        }

        /// Whether `code` may mean that the server has refused the request and not processed it.
        private func isRefusal(_ code: Int32) -> Bool {
            guard code != 0, isUnanswered, let handle else { return false }
            let http2Error: Int32 = 16
            return handle.hasGivenUp
                || code == http2Error && CurlLibrary.version < 0x08_00_00 && exchange.isIdempotent
                    && handle.errorMessage.isEmpty
        }

        /// Whether no other exchange shares its connection, as far as that is known before the response.
        var speaksHTTP1: Bool { server.map { $0.sharesConnections == false } ?? true }

        /// Notes that the request is about to be sent over a reused connection.
        ///
        /// - Parameters:
        ///   - previousHead: the URL of the previous request, if that was a HEAD.
        ///   - isStale: whether the request is not sent after all.
        func begin(after previousHead: URL?, isStale: Bool) {
            self.previousHead = previousHead
            self.isStale = isStale
        }

        /// Whether `code` means that the request must be sent over a new connection, because the reused one is out of
        /// step: the request was not sent, or what was read is not the head of a response.
        ///
        /// Such input may have arrived before the request, whose response is then unknown.
        func isOutOfStep(code: Int32) -> Bool {
            if isStale { return !isCancelled && code == 42 }
            if isUnasked { return !isCancelled }
            guard mayLeaveConnection, let head = handle?.head, !head.hasInterim else { return false }
            guard !head.isComplete, failure == nil || head.fault != nil else { return false }
            // 0: a truncated head, with libcurl before 8. 23: the parser has refused the head.
            guard [0, 1, 8, 18, 23, 27, 52, 55, 56, 100].contains(code) else { return false }
            // 1 and 8: there was no status line at all.
            if code == 1 || code == 8, let previousHead {
                handle?.multi.sockets.contentAfterHead.insert(previousHead)
            }
            return true
        }

        /// Whether its connection was reused and may be abandoned for a new one, over which the request is sent again.
        var mayLeaveConnection: Bool {
            guard !isCancelled, !needsConnection, httpVersion == nil, exchange.isIdempotent, speaksHTTP1 else {
                return false
            }
            return handle?.hasConnected == false
        }

        /// Prepares to send the request again over a new connection.
        func leaveConnection() {
            needsConnection = true
            isStale = false
            isUnasked = false
            failure = nil
            startOver()
        }

        /// Prepares to send the request again because it may have been refused.
        func `repeat`() {
            repeatCount += 1
            startOver()
        }

        /// Prepares to send the request again over HTTP/1.1.
        func fallBackToHTTP1(after code: Int32) {
            http2Refusal = URLError(curlCode: code, url: exchange.url, handle: handle)
            startOver()
        }

        /// Whether nothing of a response has arrived and the exchange is still wanted.
        private var isUnanswered: Bool { !isCancelled && failure == nil && handle?.head.isEmpty == true }

        /// Whether `code` means that no descriptor was free for a connection, for a name lookup, or for reading a
        /// certificate.
        ///
        /// libcurl reports only what it could not do, so this tests whether the number of descriptors that it may need
        /// is free.
        private func lacksDescriptor(code: Int32) -> Bool {
            switch code {
            // A lookup takes up to three: a pair of sockets, and a socket or a file. The connection takes the fourth.
            case 5, 6: isUnanswered && !POSIXFile.areDescriptorsFree(4)
            case 7: isUnanswered && !POSIXFile.areDescriptorsFree(1)
            // Certificates are read from files while the connection is open.
            case 58, 77: isUnanswered && !POSIXFile.areDescriptorsFree(2)
            default: false
            }
        }

        /// Prepares to send the content from its beginning.
        func startOver() {
            isConnecting = true
            takenCount = 0
            bodyOffset = 0
            bytesSent = 0
            pauses.resume()
            latestActivity = now
        }

        /// Collects the measurements before the handle is given back.
        func collect() {
            metrics = handle?.metrics(httpVersion: httpVersion)
        }

        func complete(_ error: URLError?) {
            if let metrics = metrics.take() { receiver.exchange(didCollect: metrics) }
            receiver.exchangeDidComplete(error: error)
        }

        /// The error that `code` means for this transfer; `nil` if the response is complete.
        func outcome(code: Int32) -> URLError? {
            if isCancelled { return URLError(.cancelled) }
            if let failure { return handle?.head.fault == nil ? failure : http2Refusal ?? failure }
            // The error concerns the sending, or input after the complete response.
            if code != 0, missing == 0 { return nil }
            if code != 0, reportRefusal() { return failure }
            guard code == 0 else {
                // Newer versions report such an end as an error.
                let receiveError: Int32 = 56
                let isAllowed = code == receiveError && mayEndUnannounced
                if isAllowed, handle?.errorMessage.contains("unexpected eof") == true { return nil }
                if let http2Refusal, httpVersion == nil { return http2Refusal }
                if lacksDescriptor(code: code) { return .noDescriptor }
                return URLError(curlCode: code, url: exchange.url, handle: handle)
            }
            // libcurl 7.88 takes a close in the middle of the head for the end of the response.
            guard handle?.head.isComplete == true else { return URLError(.networkConnectionLost) }
            // libcurl also takes any end of the connection for the end of the content.
            if session != 0, !ccurl_tls_session_was_closed(session) { return URLError(.networkConnectionLost) }
            return nil
        }
    }
#endif
