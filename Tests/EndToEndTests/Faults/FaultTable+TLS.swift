import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport

/// Certificates, handshakes, the ends of TLS connections, and proxies.
extension Fault {
    static let handshakes = [
        certificate("has expired") { try $0.issue("server", validity: .past) },
        certificate("is not valid yet") { try $0.issue("server", validity: .future) },
        certificate("is for another host") { try $0.issue("server", for: "DNS:other.test") },
        certificate("is from an unknown authority", limitation: nil) { _ in try TestAuthority().issue("server") },
        certificate("is its own authority", limitation: nil) { try $0.selfSigned("server") },
        Fault("The server speaks TLS 1.1 at most", .tlsFailure, needsPrograms: true) { _ in
            let authority = try TestAuthority()
            return scene(try TLSServer(authority.issue("server"), versions: .tls11 ... .tls11), authority)
        },
        handshake("is refused with an alert", .tlsFailure, "15030300020228"),
        handshake(
            "is answered in HTTP", .tlsFailure, "HTTP/1.1 400 No\r\n\r\n".hexadecimal),
        handshake("ends before a byte", .connectionLost, ""),
        handshake("ends in a record", .connectionLost, "160303007a0200"),
        handshake("has bytes of no protocol", .tlsFailure, String(repeating: "07", count: 1000)),
        handshake("is silent", .timedOut, "silent"),
    ]

    private static func certificate(
        _ fault: String, limitation: KnownLimitation? = .trustsSystemAuthoritiesAlone,
        _ issue: @escaping @Sendable (TestAuthority) throws -> TestAuthority.Pair
    ) -> Fault {
        Fault("The server's certificate \(fault)", .tlsFailure, limitation: limitation, needsPrograms: true) { _ in
            let authority = try TestAuthority()
            return scene(try TLSServer(issue(authority)), authority)
        }
    }

    private static func scene(_ server: TLSServer, _ authority: TestAuthority) -> Scene {
        Scene(url: server.url, configuration: .patient(trusting: authority.certificate), others: [server, authority])
    }

    /// Answers the client's first message with bytes, and ends the connection.
    private static let handshaker = """
        def serve(connection):
            connection.recv(65536)
            while sys.argv[2] == 'silent':
                if not connection.recv(65536): return
            connection.sendall(bytes.fromhex(sys.argv[2]))
            connection.close()
        """

    private static func handshake(_ fault: String, _ code: NetworkError.Code?, _ bytes: String) -> Fault {
        Fault("The handshake \(fault)", code, needsPrograms: true) { _ in
            let server = try PythonServer(handshaker, arguments: [bytes])
            var scene = Scene(url: URL(string: "https://127.0.0.1:\(server.port)/"), others: [server])
            // Of a handshake this is the limit; the honest request on the same transport must be within it, too.
            if code == .timedOut { scene.configuration.connectTimeout = .seconds(3) }
            return scene
        }
    }

    static let closings = [
        closing("content with a length", "Content-Length: 9\r\n\r\nHello"),
        closing("chunked content", "Transfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n"),
        closing("content without a length", "\r\nHello"),
    ]

    /// Sends a text, and ends the connection beneath TLS.
    private static let closer = """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2], sys.argv[3])
        def serve(connection):
            try: connection = context.wrap_socket(connection, server_side=True)
            except OSError: return
            connection.recv(65536)
            connection.sendall(bytes.fromhex(sys.argv[4]))
            os.close(connection.detach())
        """

    private static func closing(_ content: String, _ text: String) -> Fault {
        Fault(
            "TLS ends without its closing alert in \(content)", .connectionLost,
            limitation: .trustsSystemAuthoritiesAlone, needsPrograms: true
        ) { _ in
            let identity = try TestCertificate()
            let text = "HTTP/1.1 200 OK\r\n\(text)".hexadecimal
            let server = try PythonServer(closer, arguments: [identity.certificate.path, identity.key.path, text])
            return Scene(
                url: URL(string: "https://127.0.0.1:\(server.port)/"),
                configuration: .patient(trusting: identity.certificate), others: [server, identity])
        }
    }

    private static let demand = ScriptedResponse.status(407).header("Proxy-Authenticate", "Basic realm=\"x\"")
    private static let tunnel = "HTTP/1.1 200 OK\r\n\r\n"

    static let proxies = [
        proxy("demands credentials", .httpStatus(407), demand),
        proxy("demands credentials without saying which", .httpStatus(407), .status(407)),
        proxy("redirects", .connectionLost, .redirect(to: "http://127.0.0.1:1/")),
        proxy("refuses", .connectionLost, .status(403)),
        proxy("cannot reach the server", .connectionLost, .status(502)),
        proxy("answers with bytes of no protocol", .connectionLost, .raw(String(repeating: "\u{7}", count: 1000))),
        proxy("answers with a head that is cut", .connectionLost, .raw("HTTP/1.1 200 OK\r\nX")),
        proxy("ends the connection", .connectionLost, .hangUp),
        proxy("is silent", .timedOut, .silence),
        proxy("opens a tunnel, and ends it", .connectionLost, .raw(tunnel)),
        proxy("opens a tunnel, and sends bytes of no protocol", .tlsFailure, .raw("\(tunnel)no handshake at all\r\n")),
        proxy("demands credentials", .httpStatus(407), isTunnel: false, demand),
        proxy("cannot reach the server", .httpStatus(502), isTunnel: false, .status(502)),
    ]

    private static func proxy(
        _ fault: String, _ code: NetworkError.Code?, isTunnel: Bool = true, _ response: ScriptedResponse
    ) -> Fault {
        Fault(
            "A proxy that is asked for \(isTunnel ? "a tunnel" : "a resource") \(fault)", code,
            limitation: .ignoresProxySetting
        ) { _ in
            let proxy = try LoopbackServer(fallback: response)
            // Honest requests go through it as well.
            proxy.serve("/honest", .text("honest"))
            var scene = Scene(url: URL(string: isTunnel ? "https://127.0.0.1:2/" : "http://127.0.0.1:2/"))
            scene.configuration.proxy = proxy.url
            scene.others = [proxy]
            if code == .timedOut { scene.configuration.connectTimeout = .seconds(3) }
            return scene
        }
    }
}
