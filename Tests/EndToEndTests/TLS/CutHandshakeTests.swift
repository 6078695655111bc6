import Foundation
import NetworkQueueKit
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Servers that end a connection before it is secure, as one that is restarted does.
@Suite(.enabled(if: PythonServer.isInstalled, "nginx, python3 or openssl is not installed"), .timeLimit(.minutes(10)))
struct CutHandshakeTests {
    /// Ends each connection as the third argument says, after the client's first message.
    private static let script = """
        mode = sys.argv[2]
        def serve(connection):
            if mode != 'closes at once': connection.recv(65536)
            if mode == 'resets': connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            # The beginning of a record that is longer, and a fatal alert: handshake_failure.
            if mode == 'breaks off': connection.sendall(bytes.fromhex('160303007a0200'))
            if mode == 'refuses': connection.sendall(bytes.fromhex('15030300020228'))
            connection.close()
        """

    private func outcome(_ kind: TransportKind, _ mode: String) async throws -> Transcript {
        let server = try PythonServer(Self.script, arguments: [mode])
        let recorder = EventRecorder()
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let transport = try kind.makeTransport(.patient)
        _ = transport.start(HTTPExchange(url: url), receiver: recorder)
        let transcript = await recorder.outcome()
        withExtendedLifetime(server) {}
        return transcript
    }

    @Test(arguments: TransportKind.allCases, ["closes", "closes at once", "resets", "breaks off"])
    func `A connection that ends during the handshake is lost`(kind: TransportKind, mode: String) async throws {
        let error = try #require(try await outcome(kind, mode).error)
        #expect(error.code == .networkConnectionLost, "\(error) \(error.errorUserInfo)")
    }

    @Test(arguments: TransportKind.allCases)
    func `A server that refuses the handshake with an alert is a TLS failure`(kind: TransportKind) async throws {
        let error = try #require(try await outcome(kind, "refuses").error)
        #expect(error.code == .secureConnectionFailed, "\(error) \(error.errorUserInfo)")
    }

    @Test(arguments: ["GET", "POST"])
    func `A request whose handshake was cut is sent again, because nothing was sent`(method: String) async throws {
        let server = try PythonServer(Self.script, arguments: ["closes"])
        let queue = RequestQueue(transport: try TransportKind.default.makeTransport(.patient))
        var request = NetworkRequest(try #require(URL(string: "https://127.0.0.1:\(server.port)/")), method: method)
        request.retryPolicy = RetryPolicy(maxRetries: 2, backoff: .constant(.zero))
        let operation = queue.add(request)
        await queue.waitUntilEmpty()
        #expect(operation.attempts == 3 && operation.error?.code == .connectionLost)
        #expect(operation.error?.description.contains("during the TLS handshake") == true)
        withExtendedLifetime(server) {}
    }
}
