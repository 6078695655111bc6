#if canImport(Glibc)
    import CCurl
    import Foundation

    /// Handles libcurl's callbacks for a transfer.
    extension CurlTransfer {
        func receiveHeaderLine(_ line: UnsafeRawBufferPointer, of head: ResponseHeadParser) -> Bool {
            guard !isCancelled else { return false }
            latestActivity = now
            latestArrival = now
            if isConnecting, handle?.isConnecting == false { noteConnection() }
            let isFinished = head.append(line)
            if let fault = head.fault { return refuse(fault) }
            guard isFinished, var response = head.finish(url: exchange.url) else { return true }
            let framing = response.headers.framing
            // Refuse other codings, which libcurl would decode unasked and without a limit.
            if let fault = response.headers.fault(framing) { return refuse(fault) }
            if hasProxy || handle?.proxy.isOfEnvironment == true {
                let isConnecting = handle?.isConnecting == true
                // With the environment's proxies, a plain response may also be the server's own.
                response.isFromProxy = isConnecting || hasProxy && exchange.url.scheme?.lowercased() == "http"
                if response.isFromProxy, response.statusCode == 407 {
                    response.proxyCredential = handle?.configuration.proxyCredential.map { Secret($0) }
                }
                if isConnecting {
                    // The server's own head follows this one, if it comes at all.
                    refusal = response
                    head.reset()
                    return true
                }
            }
            // Servers send this before they close a connection that has been idle.
            if response.statusCode == 408, mayLeaveConnection {
                isUnasked = true
                return false
            }
            if response.statusCode == 417, expectsContinue {
                handle?.multi.unansweredExpect.insert(exchange.url)
                isUnasked = true
                return false
            }
            if endsWithConnection(response, framing), let handle {
                if needsClosingAlert { session = ccurl_easy_tls_session(handle.easy) } else { mayEndUnannounced = true }
            }
            httpVersion = response.httpVersion
            if http2Refusal != nil { handle?.multi.requiringHTTP1.insert(exchange.url) }
            server?.note(httpVersion: response.httpVersion, isConnectionNew: handle?.hasConnected == true)
            let hasNone = exchange.method == "HEAD" || response.statusCode == 204 || response.statusCode == 304
            missing = hasNone ? 0 : framing.contentLength
            return proceed(receiver.exchangeDidReceive(head: response))
        }

        /// Looks at bytes of the head before libcurl reads them.
        func preview(_ bytes: UnsafeRawBufferPointer, of head: ResponseHeadParser) -> ExchangeDisposition {
            guard !isCancelled else { return .stop }
            head.preview(bytes)
            return head.fault.map(refuse) ?? true ? .proceed : .stop
        }

        /// Whether only the end of the connection ends the content (RFC 9112, section 6.3).
        private func endsWithConnection(_ head: ResponseHead, _ framing: HTTPHeaders.Framing) -> Bool {
            guard framing.contentLength == nil, exchange.method != "HEAD", head.statusCode != 204,
                head.statusCode != 304
            else { return false }
            return head.httpVersion.hasPrefix("HTTP/1") && !framing.hasTransferEncoding
        }

        private func refuse(_ fault: String) -> Bool {
            failure = .badResponse(fault)
            return false
        }

        /// Reports a proxy's demand for credentials in its answer to CONNECT as the response; returns whether there was
        /// one.
        func reportRefusal() -> Bool {
            guard let refusal, refusal.statusCode == 407, handle?.head.isComplete == false else { return false }
            if case .stop = receiver.exchangeDidReceive(head: refusal) { failure = URLError(.cancelled) }
            return true
        }

        func receiveBody(_ bytes: UnsafeRawBufferPointer) -> ExchangeDisposition {
            guard !isCancelled else { return .stop }
            latestActivity = now
            latestArrival = now
            // After a pause libcurl delivers the same bytes again.
            let skipped = min(takenCount, bytes.count)
            takenCount -= skipped
            var rest = bytes[skipped...]
            while !rest.isEmpty {
                guard !pauses.isPausedByReceiver, !mustRest() else {
                    takenCount = rest.startIndex
                    pauses.isReceivingPaused = true
                    return .pause
                }
                let portion = rest.prefix(exchange.pacer?.portion ?? .max)
                rest = rest[portion.endIndex...]
                if let missing { self.missing = missing - Int64(portion.count) }
                let body = UnsafeRawBufferPointer(rebasing: portion)
                guard proceed(receiver.exchangeDidReceive(body: body)) else { return .stop }
                charge(portion.count)
            }
            return .proceed
        }

        func readBody(into buffer: UnsafeMutableRawBufferPointer) -> BodyReading {
            guard !isCancelled else { return .fail }
            latestActivity = now
            guard let body = exchange.body, bodyOffset < body.length else { return .read(0) }
            guard !mustRest() else {
                pauses.isSendingPaused = true
                return .pause
            }
            if bodyOffset == 0, expectsContinue, speaksHTTP1, handle?.head.hasInterim == false {
                handle?.multi.unansweredExpect.insert(exchange.url)
            }
            let portion = min(buffer.count, max(exchange.pacer?.portion ?? .max, 1))
            let wanted = Int(min(Int64(portion), body.length - bodyOffset))
            do {
                let count = try body.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: bodyOffset)
                guard count > 0, count <= wanted else { throw URLError(.requestBodyStreamExhausted) }
                bodyOffset += Int64(count)
                charge(count)
                return .read(count)
            } catch {
                failure =
                    error as? URLError
                    ?? URLError(.requestBodyStreamExhausted, userInfo: [NSUnderlyingErrorKey: error as NSError])
                return .fail
            }
        }

        func seekBody(to offset: Int64) {
            bodyOffset = offset
        }

        func reportSent(_ total: Int64) {
            guard total != bytesSent else { return }
            bytesSent = total
            // Before libcurl sends content again, it may report 0 sent bytes. The first bytes will correct the count.
            guard total > 0 else { return }
            latestActivity = now
            receiver.exchangeDidSend(totalBytes: total)
        }

        private func proceed(_ disposition: ExchangeDisposition) -> Bool {
            switch disposition {
            case .proceed: break
            case .pause: pauses.isPausedByReceiver = true
            case .stop: failure = URLError(.cancelled)
            }
            return failure == nil
        }

        /// Whether the pacer forbids moving bytes now; notes when to ask it again.
        private func mustRest() -> Bool {
            guard let pacer = exchange.pacer else { return false }
            if pauses.mark < 0 { pauses.mark = pacer.charge(0) }
            let delay = pacer.delay(until: pauses.mark)
            guard delay > .zero else { return false }
            pauses.resumeTime = now + delay.bounded
            return true
        }

        private func charge(_ count: Int) {
            if let pacer = exchange.pacer { pauses.mark = pacer.charge(count) }
        }
    }
#endif
