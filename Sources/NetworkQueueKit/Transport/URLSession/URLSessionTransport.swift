import Foundation

/// Performs exchanges with data and upload tasks of one long-lived `URLSession`.
///
/// The default on Apple platforms, and wherever libcurl cannot be loaded. On Apple platforms it follows Apple's
/// documentation: it is type-checked on Linux and tested there with the calls that Apple's sessions make, but it has
/// never run on them.
///
/// On every platform:
/// - Header fields lose their order, and fields of the same name are joined, except `Set-Cookie`.
/// - Content with a `Content-Encoding` arrives decoded.
/// - A GET with content is refused.
///
/// On Apple platforms the system itself sends files, and other content is sent while it is read. A task is suspended
/// while its receiver is paused, or while more than 1 MiB waits for the receiver. App Transport Security applies:
/// `http` URLs need an exception in the app's `Info.plist`. The session runs in the process. There are no background
/// sessions, because nothing would be left to receive their events, and a suspended app receives nothing. Time during
/// which the system sleeps does not count toward the idle timeout.
///
/// Foundation on Linux (6.3) imposes these limitations, each explained in `KnownLimitation` of the conformance tests:
/// - **It ends the process** on some malformed or unusual responses. No client of `URLSession` can prevent that, so do
///   not use this transport on Linux with servers that you do not trust.
/// - It refuses unusual responses: a header field without a space after its colon or not in UTF-8, and a status line
///   without a reason phrase (all `badServerResponse`). It also refuses URLs with an IPv6 address (`badURL`).
/// - Fields of the same name are lost if they are spelled differently.
/// - The content of a redirect without a usable `Location` is lost.
/// - A POST with a body but no `Content-Type` gets that of a form.
/// - `proxy` has no effect. The idle timeout also bounds connecting, on every platform.
/// - Content to send is read into memory first; more than 64 MiB is copied into a temporary file. **The process may
///   end** if such an exchange fails or is canceled.
/// - The system decides which versions of TLS are used, including 1.0 and 1.1 if it allows them.
/// - There is no back-pressure: content that a receiver is slow to take, or does not want yet, is held in memory. A
///   bandwidth limit therefore cannot slow down a running exchange. It only delays the start of the next one until the
///   limit has caught up with the bytes moved.
/// - The thread that waits for a response on a new connection is busy all the while.
public final class URLSessionTransport: Transport {
    /// The configuration of the transport.
    public let configuration: TransportConfiguration
    private let session: URLSession
    private let router: SessionRouter

    /// Creates a transport with its own session, without cache, cookies or stored credentials.
    ///
    /// Settings that `URLSession` does not support have no effect here; ``DefaultTransport/make(_:)`` refuses them.
    /// These are `connectTimeout`, `trustedCertificatesFile`, `clientCertificate`, `pinnedPublicKeys`,
    /// `allowsIncompleteTLSClose`, `maxConnectionIdleTime` and `httpVersion` `.http1`, and on Linux also
    /// `minTLSVersion`, `proxy` and `.http3`. `maxConnections`, which ``DefaultTransport/make(_:)`` refuses as well,
    /// limits the connections to each host.
    ///
    /// - Parameters:
    ///   - configuration: the settings that all transports of the library share.
    ///   - sessionConfiguration: settings of `URLSession` itself, such as `protocolClasses`, `waitsForConnectivity` or
    ///     `allowsConstrainedNetworkAccess`; it is copied. The library sets cache, cookies, credentials, timeouts and
    ///     connections per host, and the proxy if `configuration` has one. Waiting for connectivity counts toward the
    ///     total timeout, but not the idle timeout. Do not pass a background configuration.
    public convenience init(
        configuration: TransportConfiguration = TransportConfiguration(),
        sessionConfiguration: URLSessionConfiguration = .default
    ) {
        self.init(configuration, sessionConfiguration, check: nil)
    }

    #if canImport(Security)
        /// Creates a transport that also asks your code whether to trust a server's certificate.
        ///
        /// - Parameters:
        ///   - configuration: the settings that all transports of the library share.
        ///   - sessionConfiguration: settings of `URLSession` itself.
        ///   - acceptsServer: called for each new TLS connection, after the system has accepted the server's
        ///     certificates, so it can only refuse. It gets the host and the certificates in DER, the server's own
        ///     first. If it returns `false`, the request fails with ``NetworkError/Code/tlsFailure``. Called on several
        ///     threads at once; may block.
        public convenience init(
            configuration: TransportConfiguration = TransportConfiguration(),
            sessionConfiguration: URLSessionConfiguration = .default,
            acceptsServer: @escaping @Sendable (_ host: String, _ certificates: [Data]) -> Bool
        ) {
            self.init(configuration, sessionConfiguration, check: ServerCheck(acceptsServer))
        }
    #endif

    private init(
        _ configuration: TransportConfiguration, _ sessionConfiguration: URLSessionConfiguration, check: ServerCheck?
    ) {
        self.configuration = configuration
        let queue = OperationQueue()
        queue.name = "NetworkQueueKit.URLSession"
        queue.maxConcurrentOperationCount = 1
        let sessionConfiguration = sessionConfiguration.copy() as? URLSessionConfiguration ?? .default
        Self.prepare(sessionConfiguration, for: configuration)
        router = SessionRouter(serverCheck: check)
        session = URLSession(configuration: sessionConfiguration, delegate: router, delegateQueue: queue)
    }

    deinit {
        // `invalidateAndCancel` is unsafe on Linux while tasks run.
        session.finishTasksAndInvalidate()
    }

    /// `true`: Foundation decodes whatever it can, on every platform and for every destination, even content requested
    /// with `Accept-Encoding: identity`.
    public var decodesContent: Bool { true }

    /// Starts one exchange. See ``Transport``.
    public func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle {
        let transfer = SessionTransfer(exchange, receiver: receiver, configuration: configuration)
        // Keep the transport until the task exists: an invalidated session must not create one.
        transfer.whenPaceAllows { [self] in
            if let body = exchange.body, body.length > Self.largestBodyReadAtOnce {
                transfer.prepare { [self] in begin(transfer, exchange) }
            } else {
                begin(transfer, exchange)
            }
        }
        return transfer
    }

    private func begin(_ transfer: SessionTransfer, _ exchange: HTTPExchange) {
        do {
            let request = try Self.urlRequest(for: exchange, configuration, policy: .current)
            let content = try SessionContent(exchange.body, policy: .current, isWanted: { transfer.isWanted })
            let task = content.makeTask(request, in: session)
            router.add(transfer, for: task)
            transfer.begin(task, content: content)
        } catch {
            transfer.fail(error)
        }
    }

    /// The size above which content is not read on the thread that starts the exchange.
    private static let largestBodyReadAtOnce: Int64 = 1024 * 1024
}

extension URLSessionTransport: ConfiguredTransport {}
