#if canImport(Glibc)
    import Foundation

    /// Performs exchanges with the system's libcurl, on one thread and with one connection pool. The default on Linux.
    ///
    /// Available only on Linux with glibc. The thread starts with the first exchange and ends with the transport. It
    /// sleeps when there is nothing to do; after a wait of less than 0.1 ms it first polls for up to 0.05 ms.
    public final class CurlTransport: Transport {
        /// Whether the system's libcurl (7.68 or later) can be loaded.
        public static var isAvailable: Bool { CurlLibrary.isAvailable }

        /// The configuration of the transport.
        public let configuration: TransportConfiguration
        private let loop: CurlLoop

        /// Creates a transport with its own connection pool; returns `nil` if libcurl cannot be loaded.
        ///
        /// Unlike ``DefaultTransport/make(_:)``, this does not check the configuration. With unreadable files and
        /// unsupported proxies exchanges fail, `.http3` has no effect if libcurl does not support it, and a
        /// `maxConnections` below 1 leaves the limit to libcurl.
        public convenience init?(configuration: TransportConfiguration = TransportConfiguration()) {
            guard CurlLibrary.isAvailable else { return nil }
            self.init(configuration: configuration, loop: CurlLoop(configuration: configuration))
        }

        init(configuration: TransportConfiguration, loop: CurlLoop) {
            self.configuration = configuration
            self.loop = loop
        }

        deinit { loop.stop() }

        /// Starts one exchange. See ``Transport``.
        public func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle {
            let transfer = CurlTransfer(exchange, receiver: receiver, configuration: configuration, loop: loop)
            loop.post(.start(transfer))
            return transfer
        }
    }

    extension CurlTransport: ConfiguredTransport {
        func sendsContentAfterHead(_ url: URL) -> Bool { loop.sendsContentAfterHead(url) }
    }
#endif
