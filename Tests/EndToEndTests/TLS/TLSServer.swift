import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that answers `hello` over TLS, once a connection.
final class TLSServer: Sendable {
    private static let script = """
        certificate, key, lowest, highest, authority = sys.argv[2:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.set_ciphers('ALL:@SECLEVEL=0')
        context.minimum_version = getattr(ssl.TLSVersion, lowest)
        context.maximum_version = getattr(ssl.TLSVersion, highest)
        if authority:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(authority)
        def serve(connection):
            connection = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
            try: connection.do_handshake()
            except OSError:
                # What the client sends on is read: a reset would overtake the alert.
                raw = socket.socket(fileno=connection.detach())
                try:
                    raw.shutdown(socket.SHUT_WR)
                    while raw.recv(10000): pass
                except OSError: pass
                return raw.close()
            try:
                connection.recv(10000)
                connection.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\nConnection: close\\r\\n\\r\\nhello')
                connection.unwrap()
            except OSError: pass
            connection.close()
        """

    private let server: PythonServer
    let url: URL

    /// - Parameters:
    ///   - versions: those of TLS that it speaks, by their names in Python.
    ///   - authority: that of the certificates which clients must show; `nil` where they need none.
    init(
        _ pair: TestAuthority.Pair, versions: ClosedRange<Version> = .tls12 ... .tls13, authority: URL? = nil
    ) throws {
        server = try PythonServer(
            Self.script,
            arguments: [
                pair.certificate.path, pair.key.path, versions.lowerBound.name, versions.upperBound.name,
                authority?.path ?? "",
            ])
        guard let url = URL(string: "https://127.0.0.1:\(server.port)/") else { throw URLError(.badURL) }
        self.url = url
    }

    enum Version: Int, Comparable {
        case tls11 = 1
        case tls12, tls13

        var name: String { "TLSv1_\(rawValue)" }
        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }
}
