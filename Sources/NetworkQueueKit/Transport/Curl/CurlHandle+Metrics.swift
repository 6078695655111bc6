#if canImport(Glibc)
    import CCurl

    extension CurlHandle {
        /// libcurl's measurements of the current or just finished exchange.
        ///
        /// - Parameter httpVersion: the version of the response; `nil` without a response.
        func metrics(httpVersion: String?) -> ExchangeMetrics {
            var metrics = ExchangeMetrics()
            metrics.duration = time(CCURLINFO_TOTAL_TIME_T)
            metrics.timeToFirstByte = time(CCURLINFO_STARTTRANSFER_TIME_T)
            // libcurl measures each time from the start of the exchange, so the duration of a phase is the difference
            // between two. A connection that could not be made does not count as a new one.
            if hasConnected {
                let connected = time(CCURLINFO_CONNECT_TIME_T)
                metrics.isConnectionReused = false
                let looked = time(CCURLINFO_NAMELOOKUP_TIME_T)
                metrics.nameLookup = looked
                metrics.connect = connected.map { max($0 - (looked ?? .zero), .zero) }
                if let secured = time(CCURLINFO_APPCONNECT_TIME_T) {
                    metrics.tlsHandshake = max(secured - (connected ?? .zero), .zero)
                }
            } else if httpVersion != nil {
                metrics.isConnectionReused = true
            }
            metrics.httpVersion = httpVersion
            metrics.remoteAddress = remoteAddress
            return metrics
        }

        /// A time that libcurl measured; `nil` if the exchange did not get that far.
        private func time(_ info: ccurl_info) -> Duration? {
            var microseconds: Int64 = 0
            guard ccurl_easy_get_offset(easy, info, &microseconds) == 0, microseconds > 0 else { return nil }
            return .microseconds(microseconds)
        }

        private var remoteAddress: String? {
            var text: UnsafeMutableRawPointer?
            guard ccurl_easy_get_pointer(easy, CCURLINFO_PRIMARY_IP, &text) == 0, let text else { return nil }
            let address = String(cString: text.assumingMemoryBound(to: CChar.self))
            return address.isEmpty ? nil : address
        }
    }
#endif
