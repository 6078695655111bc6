#if !canImport(FoundationNetworking)
    import Foundation

    extension ExchangeMetrics {
        /// Adopts Foundation's measurements. Not run on Linux, whose Foundation measures nothing.
        init(_ transaction: URLSessionTaskTransactionMetrics) {
            func time(from start: Date?, to end: Date?) -> Duration? {
                guard let start, let end else { return nil }
                return .seconds(max(end.timeIntervalSince(start), 0))
            }
            self.init(
                nameLookup: time(from: transaction.domainLookupStartDate, to: transaction.domainLookupEndDate),
                connect: time(
                    from: transaction.connectStartDate,
                    to: transaction.secureConnectionStartDate ?? transaction.connectEndDate),
                tlsHandshake: time(
                    from: transaction.secureConnectionStartDate, to: transaction.secureConnectionEndDate),
                timeToFirstByte: time(from: transaction.fetchStartDate, to: transaction.responseStartDate),
                duration: time(from: transaction.fetchStartDate, to: transaction.responseEndDate),
                isConnectionReused: transaction.isReusedConnection,
                httpVersion: transaction.networkProtocolName.map(Self.version(ofProtocol:)),
                remoteAddress: transaction.remoteAddress)
        }

        /// The HTTP version for a protocol identifier of ALPN.
        private static func version(ofProtocol name: String) -> String {
            switch name {
            case "h2": "HTTP/2"
            case "h3": "HTTP/3"
            default: name.uppercased()
            }
        }
    }
#endif
