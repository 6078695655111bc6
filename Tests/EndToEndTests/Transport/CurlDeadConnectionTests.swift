#if canImport(Glibc)
    import Foundation
    import TestSupport
    import Testing

    @testable import NetworkQueueKit

    /// Connections that a line has lost without a word, as behind a firewall that has forgotten them: new ones pass.
    @Suite(
        .enabled(
            if: PythonServer.canSpeakHTTP2 && CurlLibrary.version >= 0x07_50_00,
            "openssl, python3 or its h2 is not installed, or libcurl does not tell when it sends"),
        .timeLimit(.minutes(10)))
    struct CurlDeadConnectionTests {
        /// Serves each connection, over TLS with the protocols of the fourth argument unless that is `plain`, until
        /// `/dead/N` is asked for: then the first N connections are silent. `/gate` is answered after `/open`, also
        /// over a silent connection. Each answer tells the number of its connection.
        private static let script = """
            from h2.config import H2Configuration
            from h2.connection import H2Connection
            from h2.events import DataReceived, RequestReceived, StreamEnded
            protocol = sys.argv[4]
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[2], sys.argv[3])
            if protocol == 'h2': context.set_alpn_protocols(['h2'])
            lock, latest, dead, gate = threading.Lock(), 0, 0, threading.Event()
            def asked(number, path):
                global dead
                if path.startswith('/dead/'): dead = int(path[6:])
                if path == '/open': gate.set()
                if path == '/gate':
                    gate.wait()
                    return True
                return number > dead
            def serve1(connection, number):
                received = b''
                while True:
                    while b'\\r\\n\\r\\n' not in received:
                        more = connection.recv(65536)
                        if not more: return
                        received += more
                    head, _, received = received.partition(b'\\r\\n\\r\\n')
                    fields = head.decode().lower()
                    if 'content-length: ' in fields:
                        length = int(fields.split('content-length: ')[1].split('\\r\\n')[0])
                        while len(received) < length: received += connection.recv(65536)
                        received = received[length:]
                    method, path = head.decode().split(' ')[:2]
                    if not asked(number, path): continue
                    body = str(number) if method != 'HEAD' else ''
                    connection.sendall(('HTTP/1.1 200 OK\\r\\nX-Number: %d\\r\\nContent-Length: %d\\r\\n\\r\\n%s'
                        % (number, len(str(number)), body)).encode())
            def serve2(connection, number):
                h2 = H2Connection(config=H2Configuration(client_side=False))
                h2.initiate_connection()
                connection.sendall(h2.data_to_send())
                requests = {}
                def answer(stream):
                    method, path = requests[stream]
                    if not asked(number, path): return
                    with lock:
                        h2.send_headers(stream, [(':status', '200'), ('x-number', str(number))])
                        h2.send_data(stream, b'' if method == 'HEAD' else str(number).encode(), end_stream=True)
                        connection.sendall(h2.data_to_send())
                while True:
                    data = connection.recv(65536)
                    if not data: return
                    with lock: events = h2.receive_data(data)
                    for event in events:
                        if isinstance(event, RequestReceived):
                            fields = dict(event.headers)
                            requests[event.stream_id] = (fields[b':method'].decode(), fields[b':path'].decode())
                        elif isinstance(event, DataReceived):
                            with lock: h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                        elif isinstance(event, StreamEnded):
                            threading.Thread(target=answer, args=(event.stream_id,), daemon=True).start()
                    if number > dead:
                        with lock: connection.sendall(h2.data_to_send())
            def serve(connection):
                global latest
                with lock:
                    latest += 1
                    number = latest
                if protocol != 'plain':
                    try: connection = context.wrap_socket(connection, server_side=True)
                    except OSError: return
                (serve2 if protocol == 'h2' else serve1)(connection, number)
            """

        /// A server, and a transport for it.
        private struct Line {
            let base: URL
            let transport: CurlTransport
            private let server: PythonServer
            private let identity: TestCertificate

            init(_ name: String) throws {
                identity = try TestCertificate()
                server = try PythonServer(script, arguments: [identity.certificate.path, identity.key.path, name])
                base = try #require(URL(string: "http\(name == "plain" ? "" : "s")://127.0.0.1:\(server.port)"))
                transport = try #require(CurlTransport(configuration: .patient(trusting: identity.certificate)))
            }

            func start(_ path: String, method: String = "GET", idleTimeout: Duration = .seconds(600)) -> EventRecorder {
                let body = method == "PUT" ? TestBody(size: 1000) : nil
                let recorder = EventRecorder()
                let exchange = HTTPExchange(
                    url: base.appending(path: path), method: method, body: body, idleTimeout: idleTimeout)
                _ = transport.start(exchange, receiver: recorder)
                return recorder
            }

            /// Makes connections at the same time, all of which are idle in the end.
            func connect(_ count: Int) async {
                let gated = (1..<count).map { _ in start("gate") }
                #expect(await start("open").outcome().hasSucceeded)
                for recorder in gated { #expect(await recorder.outcome().hasSucceeded) }
            }
        }

        @Test(arguments: ["plain", "tls", "h2"], ["GET", "HEAD", "PUT"])
        func `After an idle timeout no exchange uses a connection from before`(
            protocol name: String, method: String
        ) async throws {
            let line = try Line(name)
            await line.connect(3)
            let deadCount = name == "h2" ? 1 : 3
            let dead = line.start("dead/\(deadCount)", method: method, idleTimeout: .milliseconds(300))
            #expect(await dead.outcome().error?.code == .timedOut)
            // Over an old connection each would wait for its own timeout.
            let recorders = (0..<3).map { _ in line.start("new", method: method, idleTimeout: .seconds(20)) }
            for recorder in recorders {
                let transcript = await recorder.outcome()
                #expect(transcript.hasSucceeded, "\(String(describing: transcript.error))")
                let number = transcript.head?.headers["X-Number"].flatMap { Int($0) } ?? 0
                #expect(number > deadCount)
            }
        }

        @Test func `A silent exchange of a dead connection goes on, and others get a new one`() async throws {
            let line = try Line("h2")
            #expect(await line.start("first").outcome().text == "1")
            let silent = line.start("gate")
            let dead = await line.start("dead/1", idleTimeout: .milliseconds(300)).outcome()
            #expect(dead.error?.code == .timedOut)
            #expect(await line.start("new", idleTimeout: .seconds(20)).outcome().text == "2")
            #expect(!silent.transcript.isComplete)
            #expect(await line.start("open", idleTimeout: .seconds(20)).outcome().hasSucceeded)
            #expect(await silent.outcome().text == "1")
            // It has answered after all, so it is not dead.
            #expect(await line.start("gate").outcome().hasSucceeded)
        }
    }
#endif
