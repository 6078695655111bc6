import Foundation
import NetworkQueueKit
import TestSupport

/// A server that answers each request over HTTP/2 with frames of the test's own, which no proper library would send.
final class HTTP2Server: Sendable {
    /// Its further arguments are the answers to one request after the other, over all connections; the last repeats.
    private static let script = """
        certificate, key, protocols, *answers = sys.argv[2:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.set_alpn_protocols(protocols.split(','))
        lock = threading.Lock()
        def serve(connection):
            try: connection = context.wrap_socket(connection, server_side=True)
            except OSError: return
            if connection.selected_alpn_protocol() != 'h2':
                if 'http/1.1' not in protocols: return
                connection.recv(65536)
                return connection.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhello')
            received = connection.makefile('rb')
            received.read(24)
            connection.sendall(bytes.fromhex('000000040000000000'))
            rest = ''
            while len(head := received.read(9)) == 9:
                received.read(int.from_bytes(head[:3], 'big'))
                kind, flags = head[3:5]
                # GOAWAY
                if kind == 7: return
                if kind == 4 and flags == 0: connection.sendall(bytes.fromhex('000000040100000000'))
                if kind == 1:
                    with lock: rest = answers.pop(0) if len(answers) > 1 else answers[0]
                elif kind != 6 or not rest: continue
                now, _, rest = rest.partition('?')
                connection.sendall(bytes.fromhex(now.rstrip('!')))
                if now.endswith('!'):
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536): pass
                    return
        """

    private let identity: TestCertificate
    private let server: PythonServer
    private let url: URL

    init(_ answers: [[HTTP2Frame]], offersHTTP1: Bool = false) throws {
        identity = try TestCertificate()
        server = try PythonServer(
            Self.script,
            arguments: [identity.certificate.path, identity.key.path, offersHTTP1 ? "h2,http/1.1" : "h2"]
                + answers.map { $0.map(\.text).joined() })
        guard let url = URL(string: "https://127.0.0.1:\(server.port)/") else { throw URLError(.badURL) }
        self.url = url
    }

    /// A request to it, over a transport that trusts it.
    var scene: Fault.Scene {
        Fault.Scene(url: url, configuration: .patient(trusting: identity.certificate), others: [self])
    }
}
