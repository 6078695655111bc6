#if canImport(Glibc)
    import Foundation
    import LoopbackServer
    import NetworkQueueTesting
    import TestSupport
    import Testing

    @testable import NetworkQueueKit

    /// Whether this process may use more than one processor. Foundation counts those of the machine.
    private func mayUseSeveralProcessors() -> Bool {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        // A bit for each, in hexadecimal digits.
        let mask = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }
        guard let digits = mask?.split(separator: ":").last else { return true }
        return digits.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) } > 1
    }

    /// A request for whose file there is no descriptor waits for one, and the file is whole in the end.
    @Suite(
        "A file without a free descriptor", .serialized, .timeLimit(.minutes(10)),
        // They wait without giving up their thread, and Dispatch has no more threads than there are processors.
        .enabled(if: mayUseSeveralProcessors(), "there is one processor only"))
    struct DescriptorShortageTests {
        @Test func `of a download is made as soon as there is one, and holds the exchange until then`() async {
            await #expect(processExitsWith: .success) {
                let shortage = try DescriptorShortage(size: 1_000_000)
                guard shortage.connect() else { exit(1) }
                let operation = shortage.starve(shortage.download())
                shortage.end()
                guard shortage.wait(for: operation) == nil, shortage.isWhole else { exit(2) }
            }
        }

        @Test func `of a small download is made as soon as there is one when all its content has come`() async {
            await #expect(processExitsWith: .success) { try Self.waitWithWholeContent(size: 1_000) }
        }

        @Test func `of a large download is made as soon as there is one when all its content has come`() async {
            await #expect(processExitsWith: .success) { try Self.waitWithWholeContent(size: 1_000_000) }
        }

        private static func waitWithWholeContent(size: Int) throws {
            let shortage = try DescriptorShortage(size: size)
            let content = shortage.expected
            let transport = ScriptedTransport { _ in .ok(content) }
            let operation = shortage.starve(shortage.download(), over: transport)
            shortage.end()
            guard shortage.wait(for: operation) == nil, shortage.isWhole else { exit(1) }
        }

        @Test func `of an upload is opened as soon as there is one`() async {
            await #expect(processExitsWith: .success) {
                let shortage = try DescriptorShortage(size: 100_000)
                try Data(count: 100_000).write(to: shortage.file)
                var request = NetworkRequest.put(shortage.server.url("/upload"), body: .file(shortage.file))
                request.retryPolicy = .never
                let operation = shortage.starve(request)
                shortage.end()
                guard shortage.wait(for: operation) == nil else { exit(1) }
            }
        }

        @Test func `of content to send, which is opened anew for each exchange, holds the exchange`() async {
            await #expect(processExitsWith: .success) {
                let shortage = try DescriptorShortage(size: 100_000)
                try Data(count: 100_000).write(to: shortage.file)
                guard shortage.connect() else { exit(1) }
                var exchange = HTTPExchange(url: shortage.server.url("/upload"), method: "PUT")
                exchange.body = FileBody(try BodyFile(shortage.file))
                let receiver = shortage.starve(exchange)
                shortage.end()
                guard receiver.wait() == nil else { exit(2) }
            }
        }

        @Test func `of an earlier attempt is found as soon as there is one, and continued`() async {
            await #expect(processExitsWith: .success) {
                let shortage = try DescriptorShortage(size: 1_000_000)
                let first = shortage.start(shortage.download(from: "/broken"))
                guard shortage.wait(for: first) != nil else { exit(1) }
                let operation = shortage.starve(shortage.download(from: "/broken"))
                shortage.server.serve("/broken", shortage.response)
                shortage.end()
                guard shortage.wait(for: operation) == nil, shortage.isWhole else { exit(2) }
                guard shortage.server.requests.last?.headers["Range"] == "bytes=500000-" else { exit(3) }
            }
        }

        @Test func `fails after connectTimeout when nothing runs that could free one`() async {
            await #expect(processExitsWith: .success) {
                let shortage = try DescriptorShortage(size: 1_000_000, connectTimeout: .milliseconds(200))
                guard shortage.connect() else { exit(1) }
                let error = shortage.failure(of: shortage.download())
                guard error.code == .fileSystem, error.isDescriptorShortage else { exit(2) }
                shortage.end()
                guard error.localizedDescription.contains("raise the limit") else { exit(3) }
                let next = shortage.start(shortage.download())
                guard shortage.wait(for: next) == nil, shortage.isWhole else { exit(4) }
            }
        }

        @Test func `is not waited for when its request is cancelled`() async {
            await #expect(processExitsWith: .success) {
                let shortage = try DescriptorShortage(size: 1_000_000)
                guard shortage.connect() else { exit(1) }
                let operation = shortage.starve(shortage.download())
                operation.cancel()
                guard shortage.wait(for: operation)?.code == .cancelled else { exit(2) }
                shortage.end()
            }
        }
    }

    /// A process that lacks descriptors at times, with a server and a transport. For exit tests.
    ///
    /// Unchecked: an exit test uses it one call after the other.
    private final class DescriptorShortage: @unchecked Sendable {
        let server: LoopbackServer
        private let transport: CurlTransport
        let file: URL
        let response: ScriptedResponse
        private let folder: TemporaryFolder
        private let content: GeneratedContent
        private let taken = TakenDescriptors()

        init(size: Int, connectTimeout: Duration = .seconds(60)) throws {
            server = try LoopbackServer()
            folder = try TemporaryFolder()
            file = folder.file("file")
            content = GeneratedContent(size: Int64(size))
            response = .generated(size: Int64(size)).acceptingRanges(etag: "\"1\"")
            server.serve("/file", response)
            server.serve("/broken", response.dropping(after: 500_000))
            server.serve("/upload", .text("taken"))
            var configuration = TransportConfiguration.patient
            configuration.connectTimeout = connectTimeout
            transport = try #require(CurlTransport(configuration: configuration))
            // What is read once in a process.
            _ = Sidecar.currentBoot
        }

        func download(from path: String = "/file") -> NetworkRequest {
            var request = NetworkRequest.get(server.url(path))
            request.destination = .file(file)
            request.retryPolicy = .never
            return request
        }

        /// Makes the connection that the next exchange uses.
        func connect() -> Bool { wait(for: start(.get(server.url("/upload")))) == nil }

        func start(_ request: NetworkRequest, over other: (any Transport)? = nil) -> RequestOperation {
            let operation = RequestOperation(request)
            operation.setStandalone(transport: other ?? transport, timekeeper: SystemTimekeeper())
            operation.start()
            return operation
        }

        func end() { taken.release() }

        /// Takes all descriptors, and returns an operation that waits for one. Ends the process when it fails instead.
        func starve(_ request: NetworkRequest, over other: (any Transport)? = nil) -> RequestOperation {
            taken.untilNoneIsFree {
                let operation = start(request, over: other)
                if DescriptorBudget.shared.isStarving(unless: { operation.result != nil }) { return operation }
                guard operation.error == nil else { exit(100) }
                if case .file = request.destination { try? FileManager.default.removeItem(at: file) }
                return nil
            }
        }

        /// Takes all descriptors, and returns the receiver of an exchange that waits for one. Ends the process when it fails instead.
        func starve(_ exchange: HTTPExchange) -> BlockingReceiver {
            taken.untilNoneIsFree {
                let receiver = BlockingReceiver()
                _ = transport.start(exchange, receiver: receiver)
                if DescriptorBudget.shared.isStarving(unless: { receiver.isComplete }) { return receiver }
                guard receiver.wait() == nil else { exit(101) }
                return nil
            }
        }

        /// Takes all descriptors, and returns how a request fails for want of one.
        func failure(of request: NetworkRequest) -> NetworkError {
            taken.untilNoneIsFree {
                if let error = wait(for: start(request)) { return error }
                try? FileManager.default.removeItem(at: file)
                return nil
            }
        }

        /// Waits without Dispatch, which ends the process when it lacks descriptors.
        func wait(for operation: RequestOperation) -> NetworkError? {
            while operation.result == nil { sched_yield() }
            return operation.error
        }

        var isWhole: Bool {
            guard let data = try? Data(contentsOf: file) else { return false }
            return data == expected
        }

        var expected: Data { Data(content.bytes(in: 0..<content.size)) }
    }
#endif
