import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

struct DefaultTransportTests {
    private static func configuration(_ change: (inout TransportConfiguration) -> Void) -> TransportConfiguration {
        var configuration = TransportConfiguration()
        change(&configuration)
        return configuration
    }

    private static func refusal(_ check: () throws -> Void) -> String? {
        let error = #expect(throws: NetworkError.self) { try check() }
        #expect(error?.code == .unsupportedConfiguration)
        return error?.description
    }

    private static let start = "Invalid transport configuration: "

    @Test func `A transport for a valid configuration is made and has that configuration`() throws {
        let configuration = Self.configuration { $0.userAgent = "agent" }
        let transport = try DefaultTransport.make(configuration)
        #if canImport(Glibc)
            #expect((transport as? CurlTransport)?.configuration == configuration)
        #else
            #expect((transport as? URLSessionTransport)?.configuration == configuration)
        #endif
        try URLSessionTransport.check(TransportConfiguration())
    }

    @Test func `A transport is not made if a trusted file cannot be read or has no certificate`() throws {
        let folder = try TemporaryFolder()
        let text = try folder.write(Data("none".utf8), to: "text.pem")
        let missing = Self.configuration { $0.trustedCertificatesFile = folder.file("missing.pem") }
        let error = #expect(throws: NetworkError.self) { try DefaultTransport.make(missing) }
        #expect(error?.code == .fileSystem)
        #expect(
            error?.description == "Could not read or write “\(folder.file("missing.pem").path)”: "
                + "No such file or directory. Check the path of the PEM file.")
        let directory = #expect(throws: NetworkError.self) {
            try DefaultTransport.make(Self.configuration { $0.trustedCertificatesFile = folder.url })
        }
        #expect(directory?.description.contains("Is a directory") == true)
        #expect(
            Self.refusal { _ = try DefaultTransport.make(Self.configuration { $0.trustedCertificatesFile = text }) }
                == Self.start + "trustedCertificatesFile “\(text.path)” contains no PEM certificate.")
    }

    @Test(arguments: [0, -1]) func `A transport is not made without a connection`(count: Int) {
        let text = Self.refusal { _ = try DefaultTransport.make(Self.configuration { $0.maxConnections = count }) }
        #expect(text == Self.start + "maxConnections is \(count); it must be at least 1.")
    }

    private static let nonsense: [(String, TransportConfiguration)] = [
        ("connectTimeout", configuration { $0.connectTimeout = .seconds(-1) }),
        ("connectTimeout", configuration { $0.connectTimeout = .zero }),
        ("idleTimeout", configuration { $0.idleTimeout = .seconds(Int64.min) }),
        ("idleTimeout", configuration { $0.idleTimeout = .zero }),
        ("totalTimeout", configuration { $0.totalTimeout = .seconds(-1) }),
        ("maxConnectionIdleTime", configuration { $0.maxConnectionIdleTime = .seconds(-1) }),
    ]

    @Test(arguments: nonsense)
    func `A transport is not made with a time that is none`(name: String, configuration: TransportConfiguration) {
        let text = Self.refusal { _ = try DefaultTransport.make(configuration) }
        #expect(text?.hasPrefix(Self.start + "\(name) is ") == true && text?.contains("must") == true)
    }

    @Test(arguments: Extremes.durations)
    func `A transport with any time as its timeout performs an exchange, or times out`(timeout: Duration) async throws {
        let server = try LoopbackServer()
        server.serve("/", .text("x"))
        let configuration = Self.configuration {
            ($0.connectTimeout, $0.idleTimeout, $0.totalTimeout) = (timeout, timeout, timeout)
            $0.maxConnectionIdleTime = timeout
        }
        var transports: [any Transport] = [URLSessionTransport(configuration: configuration)]
        #if canImport(Glibc)
            transports.append(try #require(CurlTransport(configuration: configuration)))
        #endif
        for transport in transports {
            let queue = RequestQueue(transport: transport)
            var request = NetworkRequest.get(server.url)
            request.retryPolicy = .never
            for own in [nil, timeout] {
                (request.idleTimeout, request.totalTimeout) = (own, own)
                let operation = queue.add(request)
                await queue.waitUntilEmpty()
                #expect(operation.data == Data("x".utf8) || operation.error?.code == .timedOut)
            }
        }
    }

    private static let refusedBySession: [(String, TransportConfiguration)] = [
        ("connectTimeout", configuration { $0.connectTimeout = .seconds(1) }),
        ("trustedCertificatesFile", configuration { $0.trustedCertificatesFile = URL(filePath: "/a.pem") }),
        ("clientCertificate", configuration { $0.clientCertificate = .init(certificateFile: URL(filePath: "/a.pem")) }),
        ("allowsIncompleteTLSClose", configuration { $0.allowsIncompleteTLSClose = true }),
        ("maxConnections", configuration { $0.maxConnections = 4 }),
        ("maxConnectionIdleTime", configuration { $0.maxConnectionIdleTime = .seconds(5) }),
        ("httpVersion .http1", configuration { $0.httpVersion = .http1 }),
    ]

    #if canImport(FoundationNetworking)
        private static let refusedOnLinux: [(String, TransportConfiguration)] = [
            ("minTLSVersion", configuration { $0.minTLSVersion = .tls13 }),
            ("proxy", configuration { $0.proxy = URL(string: "http://proxy.test:3128") }),
            ("httpVersion .http3", configuration { $0.httpVersion = .http3 }),
        ]
    #else
        private static let refusedOnLinux: [(String, TransportConfiguration)] = []
    #endif

    @Test(arguments: refusedBySession + refusedOnLinux)
    func `A transport of URLSession is not made for a setting that URLSession lacks`(
        name: String, configuration: TransportConfiguration
    ) {
        let text = Self.refusal { try URLSessionTransport.check(configuration) }
        #expect(text?.hasPrefix(Self.start + "URLSession does not support \(name)") == true)
    }

    @Test func `A transport of URLSession accepts the settings that the library itself keeps`() throws {
        try URLSessionTransport.check(
            Self.configuration {
                $0.idleTimeout = .seconds(1)
                $0.totalTimeout = .seconds(2)
                $0.userAgent = "agent"
            })
    }

    @Test func `A transport tells all of its configuration but the password of a key`() {
        let certificate = ClientCertificate(
            certificateFile: URL(filePath: "/client.pem"), password: PlantedSecret.word)
        let configuration = Self.configuration {
            $0.clientCertificate = certificate
            $0.minTLSVersion = .tls13
        }
        #expect(PlantedSecret.traces(in: certificate).isEmpty && PlantedSecret.traces(in: configuration).isEmpty)
        #expect(PlantedSecret.traces(in: URLSessionTransport(configuration: configuration)).isEmpty)
        #expect("\(configuration)".contains("/client.pem") && "\(configuration)".contains("tls13"))
    }
}
