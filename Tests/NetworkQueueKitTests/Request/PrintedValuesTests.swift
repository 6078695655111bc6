import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Everything public that a secret may be in: neither `print`, `dump` nor a mirror shows it.
@Suite(.timeLimit(.minutes(10)))
struct PrintedValuesTests {
    /// User code with secrets of its own.
    private struct Adapter: RequestAdapter, ResponseProcessor, RetryDecider {
        let token = PlantedSecret.word

        func adapt(_ request: URLRequest, in context: AttemptContext) -> URLRequest { request }
        func process(_ response: Response, in context: AttemptContext) -> Response { response }
        func decision(after error: NetworkError, in context: AttemptContext) -> RetryDecision { .fail }
    }

    /// Content of a user's own, which has no mirror of its own.
    private struct Body: ExchangeBody {
        let bytes = Array(PlantedSecret.word.utf8)

        var length: Int64 { Int64(bytes.count) }
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int { 0 }
    }

    private static let secretFields: HTTPHeaders = [
        "Authorization": PlantedSecret.basic, "PROXY-AUTHORIZATION": "Bearer \(PlantedSecret.word)",
        "cookie": "id=\(PlantedSecret.word)", "Set-Cookie": "id=\(PlantedSecret.word)",
        "Authentication-Info": "rspauth=\(PlantedSecret.word)",
        "Proxy-Authentication-Info": "rspauth=\(PlantedSecret.word)", "X-Api-Key": PlantedSecret.word,
        "apikey": PlantedSecret.word, "X_Auth_Token": PlantedSecret.word, "X-Amz-Security-Token": PlantedSecret.word,
        "Private-Token": PlantedSecret.word, "Ocp-Apim-Subscription-Key": PlantedSecret.word,
        "Location": "http://\(PlantedSecret.userInformation[0])@host.test/",
        "Link": "<//\(PlantedSecret.userInformation[1])@host.test/>; rel=next",
    ]

    private static let urls = PlantedSecret.userInformation.flatMap { user in
        [
            "http://\(user)@host.test/a?b", "http://\(user)@host.test:bad/", "http://\(user)@", "//\(user)@host.test/",
            "http:///\(user)@host.test/", "http:/\(user)@host.test/", "\(user)@host.test/",
            "http://\(user)/@host.test/",
            "http://\(user)@[host/", "http://\(user)@ho%20st/", "http://\(user)@ho st/", "HTTP:\(user)@host.test",
        ].compactMap(URL.init(string:))
    }

    private static let credential = URLCredential(
        user: PlantedSecret.user, password: PlantedSecret.word, persistence: .none)

    private func expectNoTrace(of value: Any, _ location: SourceLocation = #_sourceLocation) {
        let traces = PlantedSecret.traces(in: value)
        #expect(traces.isEmpty, "\(traces.joined(separator: "\n"))", sourceLocation: location)
    }

    @Test func `The traces of a secret are found in a value that has any`() {
        let plain = ["a": PlantedSecret.user] as [String: Any]
        let values: [Any] = [
            plain, Data(PlantedSecret.word.utf8), Array(PlantedSecret.word.utf8), PlantedSecret.basic,
            PlantedSecret.escaped(PlantedSecret.user), URLError(.badURL, userInfo: ["a": PlantedSecret.user]),
        ]
        for value in values { #expect(!PlantedSecret.traces(in: value).isEmpty, "\(value)") }
        #expect(PlantedSecret.traces(in: ["a", "melon"]).isEmpty)
    }

    @Test func `A printed request and its operation show no name or password, whatever their URL`() {
        for url in Self.urls {
            var request = NetworkRequest(url)
            request.credential = Self.credential
            for field in Self.secretFields { request.urlRequest.setValue(field.value, forHTTPHeaderField: field.name) }
            request.urlRequest.httpBody = Data(PlantedSecret.word.utf8)
            request.adapters = [Adapter()]
            request.processors = [Adapter()]
            request.retryDecider = Adapter()
            expectNoTrace(of: request)
            expectNoTrace(of: RequestOperation(request))
            #expect("\(request)".contains("host") || !url.absoluteString.contains("host"))
        }
    }

    @Test func `Printed content to send shows no name or password`() throws {
        var form = MultipartForm()
        form.append(PlantedSecret.word, name: "password")
        form.append(Data(PlantedSecret.word.utf8), name: "data", fileName: PlantedSecret.user)
        for body in [
            .data(Data(PlantedSecret.word.utf8)), .multipart(form), try .json(["password": PlantedSecret.word]),
            .urlEncodedForm(["password": PlantedSecret.word]),
        ] as [RequestBody] {
            expectNoTrace(of: body)
            var request = NetworkRequest(.test("a"))
            request.body = body
            expectNoTrace(of: request)
            expectNoTrace(of: try request.prepareBody())
            let exchange = HTTPExchange(url: .test("a"), body: try RunBody(of: request).prepare())
            expectNoTrace(of: exchange)
            expectNoTrace(of: exchange.body as Any)
        }
    }

    @Test func `A printed context of an attempt shows no name or password`() {
        for url in Self.urls {
            var sent = URLRequest(url: url)
            for field in Self.secretFields { sent.setValue(field.value, forHTTPHeaderField: field.name) }
            sent.httpBody = Data(PlantedSecret.word.utf8)
            var request = NetworkRequest(sent)
            request.userInfo = ["token": PlantedSecret.word]
            expectNoTrace(of: request)
            expectNoTrace(of: AttemptContext(request: request, sentRequest: sent))
        }
    }

    @Test func `A printed secret is hidden, whatever is around it`() {
        let secret = Secret(PlantedSecret.word)
        let around: [Any] = [secret, [secret], ["a": secret], secret as Secret? as Any]
        for value in around { expectNoTrace(of: value) }
        expectNoTrace(of: Guarded(PlantedSecret.word))
        #expect("\(secret)" == "<hidden>" && "\([secret])" == "[<hidden>]")
        #expect(secret == Secret(PlantedSecret.word) && secret != Secret(PlantedSecret.user))
    }

    @Test func `Printed header fields show no name or password, one by one and together`() {
        for field in Self.secretFields { expectNoTrace(of: field) }
        expectNoTrace(of: Self.secretFields)
        #expect("\(Self.secretFields)".contains("Authorization: <hidden>"))
        #expect("\(Self.secretFields)".contains("Location: http://host.test/"))
        let plain: HTTPHeaders = [
            "WWW-Authenticate": "Digest nonce=\"abc\"", "Authority": "a", "X-Monkey": "b", "Key": "c",
            "Sec-WebSocket-Key": "d", "Access-Control-Allow-Origin": "e",
        ]
        #expect(!"\(plain)".contains("hidden"))
    }

    @Test func `A printed exchange and a printed response show no name or password`() {
        for url in Self.urls {
            var exchange = HTTPExchange(url: url, headers: Self.secretFields, body: Body())
            exchange.proxyAuthorization = PlantedSecret.basic
            expectNoTrace(of: exchange)
            let head = ResponseHead(statusCode: 401, headers: Self.secretFields, url: url)
            expectNoTrace(of: head)
            let response = Response(head: head, data: Data(PlantedSecret.word.utf8))
            expectNoTrace(of: response)
            expectNoTrace(of: NetworkError(.httpStatus(401), response: response))
            expectNoTrace(
                of: AuthenticationChallenge(
                    scheme: .basic, realm: "realm", url: url, isProxy: false, previousFailureCount: 1,
                    rejectedCredential: Self.credential, response: head))
        }
    }

    @Test func `A printed error and the one beneath it show no name or password`() {
        for url in Self.urls {
            let text = "cannot use “\(url.absoluteString)”, '\(url.absoluteString)'"
            let beneath: [any Error] = [
                URLError(.badURL, userInfo: [NSURLErrorFailingURLErrorKey: url]),
                NSError(domain: "test", code: 1, userInfo: [NSLocalizedDescriptionKey: "see http://mellon@host/"]),
                NetworkError(.badURL, url: url),
            ]
            for code in [NetworkError.Code.adapting, .unknown, .badURL] {
                for underlying in beneath
                where url.host() != nil && text.contains("//mellon-user:mellon-word@host.test/") {
                    let error = NetworkError(code, underlying: underlying, url: url)
                    expectNoTrace(of: error)
                    #expect(!PlantedSecret.isIn(error.localizedDescription))
                }
            }
            expectNoTrace(of: NetworkError(.badURL, url: url))
        }
    }

    @Test func `Printed transports and their configuration show no name or password`() throws {
        for user in PlantedSecret.userInformation {
            for proxy in [
                "http://\(user)@proxy.test:8080", "\(user)@proxy.test", "http://\(user)/@proxy.test",
                "socks5://\(user)@h:x",
            ] {
                guard let url = URL(string: proxy) else { continue }
                var configuration = TransportConfiguration()
                configuration.proxy = url
                expectNoTrace(of: configuration)
                expectNoTrace(of: URLSessionTransport(configuration: configuration))
                #if canImport(Glibc)
                    expectNoTrace(of: try #require(CurlTransport(configuration: configuration)))
                #endif
            }
        }
    }

    @Test func `Printed queues, configurations and values for a transport show no name or password`() async throws {
        let cookies = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let cookie = HTTPCookie(properties: [
            .name: "id", .value: PlantedSecret.word, .domain: "host.test", .path: "/",
        ])
        cookies.setCookie(try #require(cookie))
        var configuration = NetworkQueue.Configuration()
        configuration.adapters = [Adapter()]
        configuration.authenticator = BearerAuthenticator(token: PlantedSecret.word) { $0 }
        configuration.processors = [Adapter()]
        configuration.retryDecider = Adapter()
        configuration.cookieStorage = cookies
        expectNoTrace(of: configuration)
        var inner = RequestQueue.Configuration()
        inner.adapters = [Adapter()]
        inner.authenticator = BearerAuthenticator(token: PlantedSecret.word) { $0 }
        inner.processors = [Adapter()]
        inner.retryDecider = Adapter()
        inner.cookieStorage = cookies
        expectNoTrace(of: inner)

        let transport = KeepingTransport()
        let requestQueue = RequestQueue(configuration: inner, transport: transport)
        let queue = NetworkQueue(
            configuration: configuration, transport: transport, delegateQueue: DispatchQueue(label: "printed"))
        var request = NetworkRequest(try #require(Self.urls.first))
        request.credential = Self.credential
        request.body = .data(Data(PlantedSecret.word.utf8))
        let operation = requestQueue.add(request.urlRequest)
        queue.add(request)
        expectNoTrace(of: queue)
        expectNoTrace(of: requestQueue)
        for await _ in transport.starts.prefix(1) {}
        for value in transport.values { expectNoTrace(of: value) }
        operation.cancel()
        queue.cancelAll()
    }

    /// Keeps what it is given, and never answers.
    private final class KeepingTransport: Transport, ExchangeHandle {
        let starts: AsyncStream<Void>
        private let start: AsyncStream<Void>.Continuation
        private let kept = Guarded<[any Sendable]>([])

        init() { (starts, start) = AsyncStream.makeStream() }

        var values: [any Sendable] { kept.withLock { $0 } }

        func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle {
            kept.withLock { $0 += [exchange, receiver] }
            start.yield()
            return self
        }

        func cancel() {}
        func resume() {}
    }
}
