#if canImport(Glibc)
    import Foundation
    import TestSupport
    import Testing

    @testable import NetworkQueueKit

    /// Granian answers uploads without reading them. It closes the connection, or resets the stream, with the rest
    /// under way. This was reported as a lost connection, and the content was sent four times, in 20 of 20.
    @Suite(
        .enabled(if: GranianServer.isInstalled, "granian for python3, nginx or openssl is not installed"),
        .timeLimit(.minutes(10)))
    struct GranianUploadTests {
        /// Answers with the status in the path at once. `/seen` tells the other paths in the order of their requests.
        private static let application = """
            import json
            seen = []
            def app(environ, start):
                path = environ['PATH_INFO']
                body = json.dumps(seen).encode() if path == '/seen' else b''
                status = '200' if path == '/seen' else path.split('/')[1]
                if path != '/seen': seen.append(path)
                start(status + ' Status', [('Content-Length', str(len(body)))])
                return [body]
            """

        private static let content = Data(count: 50_000_000)

        private let recorder = DelegateRecorder()

        private func makeQueue(_ server: GranianServer) throws -> NetworkQueue {
            let queue = try NetworkQueue.live(.patient(trusting: server.identity?.certificate))
            queue.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.zero))
            queue.delegate = recorder
            return queue
        }

        private func put(_ path: String, to server: GranianServer) -> NetworkRequest {
            .put(server.url.appending(path: path), body: .data(Self.content))
        }

        private func check(_ operation: RequestOperation, status: Int) {
            #expect(operation.responseHead?.statusCode == status)
            #expect(operation.error?.code == (status < 300 ? nil : .httpStatus(status)))
            #expect(operation.isFinished && operation.attempts == 1)
        }

        @Test(arguments: [false, true], [201, 403])
        func `An early answer by Granian to an upload of 50 MB is the answer, and the content is sent once`(
            isSecure: Bool, status: Int
        ) async throws {
            let server = try await GranianServer(application: Self.application, isSecure: isSecure)
            defer { server.stop() }
            let queue = try makeQueue(server)
            let asked = queue.add(put("\(status)/asked", to: server))
            await queue.run()
            check(asked, status: status)
            // With libcurl before 8.7 uploads go by HTTP/1.1.
            let version = isSecure && CurlLibrary.version >= 0x08_07_00 ? "HTTP/2" : "HTTP/1.1"
            #expect(asked.responseHead?.httpVersion == version)

            // This takes the place of the library's question whether the content is wanted, so that content is under
            // way. The rest follows when the answer is there: otherwise libcurl now and then notices that the
            // connection is gone before it has read the answer.
            var request = put("\(status)/sent", to: server)
            request.urlRequest.setValue("nothing", forHTTPHeaderField: "Expect")
            queue.maxBytesPerSecond = 1
            let sent = queue.add(request)
            async let summary = queue.run()
            await recorder.wait { events in
                events.contains {
                    switch $0 {
                    case .didReceiveHeaders(sent, _), .didFail(sent, _): true
                    default: false
                    }
                }
            }
            queue.maxBytesPerSecond = nil
            _ = await summary
            check(sent, status: status)

            let seen = queue.add(server.url.appending(path: "seen"))
            await queue.run()
            let paths = try JSONDecoder().decode([String].self, from: try #require(seen.data))
            #expect(paths == ["/\(status)/asked", "/\(status)/sent"])
        }
    }
#endif
