#if canImport(Glibc)
    import Foundation

    /// Exchanges over the system's libcurl: one thread, one connection pool. The default on Linux.
    ///
    /// Linux with glibc only. The thread starts with the first exchange and ends with the transport. It sleeps when
    /// there is nothing to do; only where it has just been woken within 0.1 ms does it stay awake for another 0.05 ms.
    public final class CurlTransport: Transport {
        /// Whether the system's libcurl (7.68 or later) can be loaded.
        public static var isAvailable: Bool { CurlLibrary.isAvailable }

        /// What the transport was made with.
        public let configuration: TransportConfiguration
        private let loop: CurlLoop

        /// Creates a transport with a connection pool of its own; `nil` where libcurl cannot be loaded.
        ///
        /// Nothing of the configuration is checked here, as ``DefaultTransport/make(_:)`` does: files that cannot be
        /// read and proxies that libcurl does not know make exchanges fail, `.http3` has no effect where there is none,
        /// and fewer than one connection means as many as libcurl likes.
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
