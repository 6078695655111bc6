import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct SessionRequestTests {
    private func request(_ exchange: HTTPExchange, _ policy: SessionPolicy = .apple) throws -> URLRequest {
        try URLSessionTransport.urlRequest(for: exchange, TransportConfiguration(), policy: policy)
    }

    private func restricted(_ change: (inout URLRequest) -> Void) throws -> HTTPExchange {
        var foundation = URLRequest(url: AppleSession.url)
        change(&foundation)
        return try HTTPExchange(NetworkRequest(foundation))
    }

    @Test func `What a request says of networks reaches the task on Apple`() throws {
        let exchange = try restricted {
            $0.allowsCellularAccess = false
            $0.networkServiceType = .background
        }
        let sent = try request(exchange)
        #expect(!sent.allowsCellularAccess && sent.networkServiceType == .background)
        // Also behind a redirect, and for what asks for the request that is sent.
        #expect(!exchange.urlRequest.allowsCellularAccess)
        var rules = HTTPExchange.NetworkRules()
        rules.allowsExpensiveNetworkAccess = false
        rules.allowsConstrainedNetworkAccess = false
        #expect(rules != HTTPExchange.NetworkRules())
        #expect(try HTTPExchange(NetworkRequest(AppleSession.url)).networkRules == nil)
    }

    @Test func `A request that restricts the network is refused on Linux`() throws {
        let exchange = try restricted { $0.allowsCellularAccess = false }
        let error = #expect(throws: URLError.self) { try request(exchange, .linux) }
        let failure = try NetworkError(#require(error))
        #expect(failure.code == .unsupportedConfiguration)
        #expect(
            failure.description
                == "The transport does not support this request: it cannot choose the network; leave allowsCellularAccess at "
                + "the default.")
        #expect(throws: URLError.self) { try request(try restricted { $0.networkServiceType = .video }, .linux) }
    }

    @Test(arguments: [SessionPolicy.apple, .linux])
    func `A GET with content is refused`(policy: SessionPolicy) throws {
        var exchange = HTTPExchange(url: AppleSession.url, body: DataBody(data: Data("content".utf8)))
        let error = #expect(throws: URLError.self) { try request(exchange, policy) }
        #expect(error?.code == .dataLengthExceedsMaximum)
        let failure = try NetworkError(#require(error))
        #expect(failure.code == .unsupportedConfiguration && failure.description.contains("content with a GET"))
        exchange.method = "POST"
        #expect(try request(exchange, policy).httpMethod == "POST")
        exchange = HTTPExchange(url: AppleSession.url, body: DataBody(data: Data()))
        #expect(try request(exchange, policy).httpMethod == "GET")
    }

    @Test func `A proxy is taken with its name and password on Apple`() throws {
        let url = try #require(URL(string: "https://name:p%40ss@proxy.test:8443"))
        let proxy = try #require(SessionProxy(url))
        #expect(proxy.kind == .https && proxy.host == "proxy.test" && proxy.port == 8443)
        #expect(proxy.user == "name" && proxy.password == "p@ss")
        var configuration = TransportConfiguration()
        for (text, kind) in [("http://a.test", SessionProxy.Kind.http), ("socks5h://[::1]:9", .socks)] {
            configuration.proxy = URL(string: text)
            #expect(configuration.proxy.flatMap(SessionProxy.init)?.kind == kind)
            try URLSessionTransport.check(configuration, policy: .apple)
        }
        configuration.proxy = URL(string: "socks4://a.test")
        #expect(throws: NetworkError.self) { try URLSessionTransport.check(configuration, policy: .apple) }
    }

    @Test func `What Apple's sessions honor is not refused there`() throws {
        var configuration = TransportConfiguration()
        configuration.minTLSVersion = .tls13
        configuration.httpVersion = .http3
        try URLSessionTransport.check(configuration, policy: .apple)
        #expect(throws: NetworkError.self) { try URLSessionTransport.check(configuration, policy: .linux) }
    }

    @Test func `A session configuration of the user's keeps what the library does not need`() {
        let session = URLSessionConfiguration.default
        session.httpAdditionalHeaders = ["X-Own": "1"]
        session.httpShouldSetCookies = true
        URLSessionTransport.prepare(session, for: TransportConfiguration())
        #expect(session.httpAdditionalHeaders?["X-Own"] as? String == "1")
        #expect(!session.httpShouldSetCookies && session.urlCache == nil)
    }
}
