#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
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

    /// What becomes of a request if no descriptor is free for a file.
    @Suite(
        .serialized, .timeLimit(.minutes(10)),
        // They wait without giving up their thread, and Dispatch has no more threads than there are processors.
        .enabled(if: mayUseSeveralProcessors(), "there is one processor only"))
    struct DescriptorShortageTests {
        // A small file is made when all of it has come.
        @Test(arguments: [1_000_000, 1_000])
        func `A download without a descriptor fails with resourceShortage, and the next makes the file`(size: Int)
            async
        {
            await #expect(processExitsWith: .success) { [size = size as Int] in
                try DescriptorShortageTests.failDownload(size: size)
            }
        }

        fileprivate static func failDownload(size: Int) throws {
            let shortage = try DescriptorShortage(size: size)
            guard shortage.connect() else { exit(1) }
            let error = shortage.failure(of: shortage.download())
            shortage.end()
            guard error.code == .resourceShortage, error.fileURL?.path == shortage.file.path else { exit(2) }
            guard error.localizedDescription.contains("raise the limit") else { exit(3) }
            let next = shortage.start(shortage.download())
            guard shortage.wait(for: next) == nil, shortage.isWhole else { exit(4) }
        }

        @Test func `An upload without a descriptor fails with resourceShortage, and the next sends the file`() async {
            await #expect(processExitsWith: .success) {
                let shortage = try DescriptorShortage(size: 100_000)
                try Data(count: 100_000).write(to: shortage.file)
                var request = NetworkRequest.put(shortage.server.url("/upload"), body: .file(shortage.file))
                request.retryPolicy = .never
                guard shortage.connect() else { exit(1) }
                let error = shortage.failure(of: request)
                shortage.end()
                guard error.code == .resourceShortage else { exit(2) }
                guard shortage.wait(for: shortage.start(request)) == nil else { exit(3) }
            }
        }

        @Test func `A download without a descriptor keeps an earlier part, and the next attempt continues it`() async {
            await #expect(processExitsWith: .success) {
                let shortage = try DescriptorShortage(size: 1_000_000)
                let first = shortage.start(shortage.download(from: "/broken"))
                guard shortage.wait(for: first) != nil, shortage.connect() else { exit(1) }
                let error = shortage.failure(of: shortage.download(from: "/broken")) { $0.code == .resourceShortage }
                shortage.end()
                guard error.code == .resourceShortage else { exit(2) }
                shortage.server.serve("/broken", shortage.response)
                let last = shortage.start(shortage.download(from: "/broken"))
                guard shortage.wait(for: last) == nil, shortage.isWhole else { exit(3) }
                guard shortage.server.requests.last?.headers["Range"] == "bytes=500000-" else { exit(4) }
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

        init(size: Int) throws {
            server = try LoopbackServer()
            folder = try TemporaryFolder()
            file = folder.file("file")
            content = GeneratedContent(size: Int64(size))
            response = .generated(size: Int64(size)).acceptingRanges(etag: "\"1\"")
            server.serve("/file", response)
            server.serve("/broken", response.dropping(after: 500_000))
            server.serve("/upload", .text("taken"))
            transport = try #require(CurlTransport(configuration: .patient))
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

        func start(_ request: NetworkRequest) -> RequestOperation {
            let operation = RequestOperation(request)
            operation.setStandalone(transport: transport, timekeeper: SystemTimekeeper())
            operation.start()
            return operation
        }

        func end() { taken.release() }

        /// Takes all descriptors, and returns how a request fails for want of one.
        func failure(
            of request: NetworkRequest, where isExpected: (NetworkError) -> Bool = { _ in true }
        ) -> NetworkError {
            taken.untilNoneIsFree {
                if let error = wait(for: start(request)), isExpected(error) { return error }
                if case .file = request.destination { try? FileManager.default.removeItem(at: file) }
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
            return data == Data(content.bytes(in: 0..<content.size))
        }
    }
#endif
