import Foundation

/// Exchanges over Foundation's `URLSession`: delegate data and upload tasks of one long-lived session.
///
/// The default where libcurl cannot be loaded, and on Apple platforms. For those it follows Apple's documentation: on
/// Linux it is type-checked and tested with the calls that Apple's sessions make, but it has never been run there.
///
/// On every platform:
/// - Header fields lose their order, and fields of the same name are joined, but for `Set-Cookie`.
/// - Content with a `Content-Encoding` arrives decoded.
/// - A GET with content is refused.
///
/// On Apple platforms a file is sent by the system itself, and content in parts as it is read. A task is suspended
/// while its receiver has paused, or while more than 1 MiB waits for it. App Transport Security applies: `http` URLs
/// need an exception in the app's `Info.plist`. The session runs in the process: there are no background sessions,
/// since nothing would be left to take their events, and an app that is suspended receives nothing meanwhile. Time
/// asleep does not count for the idle timeout.
///
/// What Foundation on Linux (6.3) makes impossible, each with its reason in `KnownLimitation` of the conformance tests:
/// - **It ends the process** on some malformed or unusual responses. Nothing that a client of `URLSession` can do
///   prevents that, so do not use this transport on Linux with servers that you do not trust.
/// - It refuses responses that are unusual: a header without a space behind its colon or not in UTF-8, a status line
///   without a reason phrase (all `badServerResponse`), and URLs with an IPv6 address (`badURL`).
/// - Fields of the same name are lost if they are spelled differently.
/// - The content of a redirect without a usable `Location` is lost.
/// - A POST with a body but no `Content-Type` gets a form's, and `proxy` and `connectTimeout` have no effect; the idle
///   timeout covers connecting.
/// - Content to send is read into memory before it is sent; more than 64 MiB are copied into a temporary file. **The
///   process may end** with such an exchange if it fails or is cancelled.
/// - Which versions of TLS it speaks is the system's decision: where that allows them, also 1.0 and 1.1.
/// - There is no back-pressure: what a receiver is slow to take, or does not want for now, is held in memory. So a
///   limit of the bandwidth cannot slow down an exchange, it only keeps others from starting: until the limit has
///   caught up with what has been moved, the next one waits. And the thread that waits for a response on a new
///   connection is busy all the while.
public final class URLSessionTransport: Transport {
    /// What the transport was made with.
    public let configuration: TransportConfiguration
    private let session: URLSession
    private let router: SessionRouter

    /// Creates a transport with a session of its own, without cache, cookies or stored credentials.
    ///
    /// What `URLSession` cannot honor has no effect here; ``DefaultTransport/make(_:)`` refuses it. That is
    /// `connectTimeout`, `trustedCertificatesFile`, `clientCertificate`, `allowsIncompleteTLSClose`,
    /// `maxConnectionIdleTime` and `httpVersion` `.http1`, and on Linux also `minTLSVersion`, `proxy` and `.http3`.
    /// `maxConnections` is how many it has to each host.
    ///
    /// - Parameters:
    ///   - configuration: what applies to every transport of the library.
    ///   - sessionConfiguration: what applies to `URLSession` alone, such as `protocolClasses`, `waitsForConnectivity`
    ///     or `allowsConstrainedNetworkAccess`; it is copied. Cache, cookies, credentials, timeouts and connections to
    ///     each host are set by the library, and so is the proxy if `configuration` has one. Waiting for connectivity
    ///     does not count for the idle timeout, but for the total one. Do not pass a background configuration.
    public convenience init(
        configuration: TransportConfiguration = TransportConfiguration(),
        sessionConfiguration: URLSessionConfiguration = .default
    ) {
        self.init(configuration, sessionConfiguration, check: nil)
    }

    #if canImport(Security)
        /// Creates a transport that asks your code, too, whether a server's certificate is to be trusted.
        ///
        /// - Parameters:
        ///   - configuration: what applies to every transport of the library.
        ///   - sessionConfiguration: what applies to `URLSession` alone.
        ///   - acceptsServer: called for each new connection over TLS with the host and the certificates in DER, the
        ///     server's own first, after the system has accepted them; so it can only refuse. With `false` the request
        ///     fails with ``NetworkError/Code/tlsFailure``. Called on several threads at a time; may block.
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
        // Not invalidateAndCancel, which is unsafe on Linux while tasks run.
        session.finishTasksAndInvalidate()
    }

    /// `true`: Foundation decodes whatever it can, on every platform and wherever the content goes, also what was asked
    /// for with `Accept-Encoding: identity`.
    public var decodesContent: Bool { true }

    /// Starts one exchange. See ``Transport``.
    public func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle {
        let transfer = SessionTransfer(exchange, receiver: receiver, configuration: configuration)
        // The transport lives until the task is there: a session that has been told to end must not make one.
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

    /// More is not read on the thread that starts the exchange.
    private static let largestBodyReadAtOnce: Int64 = 1024 * 1024
}

extension URLSessionTransport: ConfiguredTransport {}
