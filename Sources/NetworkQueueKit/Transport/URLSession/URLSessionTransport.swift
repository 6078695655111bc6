import Foundation

/// Exchanges over Foundation's `URLSession`: delegate data tasks of one long-lived session.
///
/// The default where libcurl cannot be loaded, and on Apple platforms. For those it is type-checked on Linux; it has
/// never been run there.
///
/// What Foundation on Linux (6.3) makes impossible, each with its reason in `KnownLimitation` of the conformance tests:
/// - **It ends the process** on some malformed or unusual responses. Nothing that a client of `URLSession` can do
///   prevents that, so do not use this transport on Linux with servers that you do not trust.
/// - It refuses responses that are unusual: a header without a space behind its colon or not in UTF-8, a status line
///   without a reason phrase (all `badServerResponse`), and URLs with an IPv6 address (`badURL`).
/// - Header fields lose their order, and fields of the same name are joined, or lost if they are spelled differently.
/// - Content with a `Content-Encoding` arrives decoded; the content of a redirect without a usable `Location` is lost.
/// - A GET has no body, a POST with a body but no `Content-Type` gets a form's, and `proxy` and `connectTimeout` have
///   no effect; the idle timeout covers connecting.
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
    private let router = SessionRouter()

    /// Creates a transport with a session of its own, without cache, cookies or stored credentials.
    ///
    /// What `URLSession` cannot honour has no effect here; ``DefaultTransport/make(_:)`` refuses it. That is
    /// `connectTimeout`, `trustedCertificatesFile`, `clientCertificate`, `allowsIncompleteTLSClose`,
    /// `maxConnectionIdleTime` and `httpVersion` `.http1`, and on Linux also `minTLSVersion`, `proxy` and `.http3`.
    /// `maxConnections` is how many it has to each host.
    public init(configuration: TransportConfiguration = TransportConfiguration()) {
        self.configuration = configuration
        let queue = OperationQueue()
        queue.name = "NetworkQueueKit.URLSession"
        queue.maxConcurrentOperationCount = 1
        session = URLSession(
            configuration: Self.sessionConfiguration(configuration), delegate: router, delegateQueue: queue)
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
                transfer.prepare { [self] in
                    let isSpooled = body.length > Self.largestBodyInMemory
                    begin(
                        transfer, exchange,
                        isSpooled ? try SpooledBody(body, isWanted: { transfer.isWanted }) : nil)
                }
            } else {
                begin(transfer, exchange, nil)
            }
        }
        return transfer
    }

    private func begin(_ transfer: SessionTransfer, _ exchange: HTTPExchange, _ spool: SpooledBody?) {
        do {
            var request = try urlRequest(for: exchange)
            let task: URLSessionTask
            if let spool {
                task = session.uploadTask(with: request, fromFile: spool.url)
            } else {
                request.httpBody = try exchange.body?.allBytes()
                task = session.dataTask(with: request)
            }
            router.add(transfer, for: task)
            transfer.begin(task, spool: spool)
        } catch {
            transfer.fail(error)
        }
    }

    private func urlRequest(for exchange: HTTPExchange) throws -> URLRequest {
        guard let url = URL(string: try exchange.wireURL()) else { throw URLError(.badURL) }
        try exchange.checkSendable(userAgent: configuration.userAgent)
        var request = URLRequest(url: url)
        request.httpMethod = exchange.method
        // Foundation's own timeout counts the time that a task waits for a connection; ours does not.
        request.timeoutInterval = Self.noTimeout
        for field in exchange.headers where !field.isFraming {
            request.addValue(field.value, forHTTPHeaderField: field.name)
        }
        if !exchange.headers.contains("User-Agent") {
            request.setValue(configuration.userAgent, forHTTPHeaderField: "User-Agent")
        }
        #if !canImport(FoundationNetworking)
            // Not run on Linux.
            if configuration.httpVersion == .http3 { request.assumesHTTP3Capable = true }
        #endif
        // Foundation asks for gzip and decodes it unless told otherwise, and what counts here are the bytes on the
        // wire.
        if !exchange.headers.contains("Accept-Encoding") {
            request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        return request
    }

    /// More is not read on the thread that starts the exchange.
    private static let largestBodyReadAtOnce: Int64 = 1024 * 1024

    #if canImport(FoundationNetworking)
        // Foundation does not survive every failure of an exchange whose content it reads from a file.
        private static let largestBodyInMemory: Int64 = 64 * 1024 * 1024
    #else
        private static let largestBodyInMemory: Int64 = 1024 * 1024
    #endif

    /// A week. On Linux the interval must be finite.
    private static let noTimeout: TimeInterval = 7 * 86_400

    private static func sessionConfiguration(_ configuration: TransportConfiguration) -> URLSessionConfiguration {
        let session = URLSessionConfiguration.default
        session.urlCache = nil
        session.httpCookieStorage = nil
        session.urlCredentialStorage = nil
        session.requestCachePolicy = .reloadIgnoringLocalCacheData
        #if !canImport(FoundationNetworking)
            session.tlsMinimumSupportedProtocolVersion =
                switch configuration.minTLSVersion {
                case .tls12: .TLSv12
                case .tls13: .TLSv13
                }
        #endif
        session.httpShouldSetCookies = false
        // Otherwise Foundation on Linux still parses cookies, and its parser is not fit for hostile ones.
        session.httpCookieAcceptPolicy = .never
        session.timeoutIntervalForRequest = noTimeout
        session.timeoutIntervalForResource = noTimeout
        // How many requests run is the queue's business; the session must not hold any back.
        session.httpMaximumConnectionsPerHost = configuration.maxConnections ?? 1024
        if let proxy = configuration.proxy, let host = proxy.host() {
            session.connectionProxyDictionary = [
                "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": proxy.port ?? 8080,
                "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": proxy.port ?? 8080,
            ]
        }
        return session
    }
}

extension ExchangeBody {
    /// The whole content in memory.
    fileprivate func allBytes() throws -> Data {
        var data = Data(count: Int(length))
        var offset = 0
        while offset < data.count {
            let count = try data.withUnsafeMutableBytes { buffer in
                try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[offset...]), at: Int64(offset))
            }
            guard count > 0 else { throw URLError(.requestBodyStreamExhausted) }
            offset += count
        }
        return data
    }
}

extension URLSessionTransport: ConfiguredTransport {}
