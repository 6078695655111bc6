import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Bodies over real connections. What `FileBody` and `MultipartBody` do is tested beside them.
@Suite(.timeLimit(.minutes(10)))
struct UploadTests {
    /// A rig whose server answers everything.
    private func makeRig(
        _ kind: TransportKind, configure: (inout NetworkQueue.Configuration) -> Void = { _ in }
    ) throws -> LiveRig<NetworkQueue> {
        let rig = try LiveRig(kind, configure: configure)
        rig.server.serve("/*", .text("done"))
        return rig
    }

    private func bytes(_ count: Int64, seed: UInt64 = 7) -> Data {
        Data(GeneratedContent(size: count, seed: seed).bytes(in: 0..<count))
    }

    private func put(_ rig: LiveRig<NetworkQueue>, _ path: String, _ body: RequestBody?) -> NetworkRequest {
        var request = NetworkRequest(rig.server.url(path))
        request.urlRequest.httpMethod = "PUT"
        request.body = body
        return request
    }

    // In memory, at URLSessionTransport's limit for that, and beyond.
    @Test(arguments: TransportKind.allCases, [0, 65_536, 1 << 20, (1 << 20) + 1] as [Int64])
    func `A file arrives as it is, with its length and its type`(kind: TransportKind, size: Int64) async throws {
        let rig = try makeRig(kind)
        let content = bytes(size)
        let file = try rig.folder.write(content, to: "file.png")
        let operation = await rig.run(put(rig, "/", .file(file)))
        #expect(operation.error == nil)
        let received = try #require(rig.server.requests.first)
        #expect(received.isComplete && received.bodyLength == size)
        #expect(received.bodyChecksum == ContentChecksum.of(content))
        #expect(received.headers.values(for: "Content-Type") == ["image/png"])
        #expect(received.headers.values(for: "Content-Length") == ["\(size)"])
        #expect(operation.metrics?.bytesSent == size)
        #expect(openDescriptors(of: file) == 0)
    }

    @Test(arguments: TransportKind.allCases)
    func `A stream arrives as it was read by position, and again after a failure`(kind: TransportKind) async throws {
        let rig = try makeRig(kind) { $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero)) }
        rig.server.serve("/", sequence: [.status(503), .text("done")])
        let size: Int64 = 3 << 20
        let content = bytes(size)
        let body = RequestBody.stream(length: size, contentType: "text/csv") { offset, count in
            content.dropFirst(Int(offset)).prefix(min(count, 10_000))
        }
        let operation = await rig.run(put(rig, "/", body))
        #expect(operation.error == nil && operation.attempts == 2)
        #expect(rig.server.requests.map(\.bodyChecksum) == [ContentChecksum.of(content), ContentChecksum.of(content)])
        #expect(rig.server.requests.last?.headers.values(for: "Content-Type") == ["text/csv"])
    }

    @Test(arguments: TransportKind.allCases, [0, 70_000])
    func `A stream that ends early or throws fails its request`(kind: TransportKind, end: Int64) async throws {
        struct Broken: Error {}
        let rig = try makeRig(kind)
        let short = RequestBody.stream(length: 100_000) { offset, count in
            Data(count: Int(min(Int64(count), max(0, end - offset))))
        }
        #expect(await rig.run(put(rig, "/short", short)).error?.code == .bodyUnavailable)
        let broken = RequestBody.stream(length: 100_000) { offset, count in
            guard offset < end else { throw Broken() }
            return Data(count: Int(min(Int64(count), end - offset)))
        }
        let error = await rig.run(put(rig, "/broken", broken)).error
        #expect(error?.code == .bodyUnavailable && error?.underlying is Broken)
    }

    @Test(arguments: TransportKind.allCases)
    func `A form arrives whole, and the request's own type wins`(kind: TransportKind) async throws {
        let rig = try makeRig(kind)
        let content = bytes(3 << 20)
        var form = MultipartForm()
        form.append("value", name: "field")
        form.append(file: try rig.folder.write(content, to: "a.bin"), name: "file")
        form.append(file: try rig.folder.write(Data(), to: "empty"), name: "empty")
        _ = await rig.run(put(rig, "/", .multipart(form)))
        let received = try #require(rig.server.requests.first)
        let type = try #require(received.headers["Content-Type"])
        let boundary = try #require(type.split(separator: "boundary=").last)
        #expect(received.isComplete && type == "multipart/form-data; boundary=\(boundary)")
        #expect(received.headers.values(for: "Content-Length") == ["\(received.bodyLength)"])
        #expect(received.body.starts(with: "--\(boundary)\r\nContent-Disposition: form-data; name=\"field\"".utf8))

        var own = put(rig, "/own", .urlEncodedForm(["a": "b"]))
        own.urlRequest.setValue("text/plain", forHTTPHeaderField: "content-type")
        _ = await rig.run(own)
        #expect(rig.server.requests.last?.headers.values(for: "Content-Type") == ["text/plain"])
        #expect(rig.server.requests.last?.body == Data("a=b".utf8))
    }

    @Test(arguments: TransportKind.allCases)
    func `A body is sent again to where 307 and 308 lead, and not after 303`(kind: TransportKind) async throws {
        let rig = try makeRig(kind)
        let content = bytes(2 << 20)
        let file = try rig.folder.write(content, to: "a.txt")
        rig.server.serve("/307", .redirect(to: "/308", status: 307))
        rig.server.serve("/308", .redirect(to: "/end", status: 308))
        rig.server.serve("/303", .redirect(to: "/end", status: 303))
        rig.server.serve("/end", .text("done"))
        let operation = await rig.run(put(rig, "/307", .file(file)))
        #expect(operation.data == Data("done".utf8))
        #expect(rig.server.requests.map(\.path) == ["/307", "/308", "/end"])
        #expect(rig.server.requests.allSatisfy { $0.bodyChecksum == ContentChecksum.of(content) })
        #expect(rig.server.requests.allSatisfy { $0.headers["Content-Type"] == "text/plain" })

        _ = await rig.run(put(rig, "/303", .file(file)))
        let last = try #require(rig.server.requests.last)
        #expect(last.method == "GET" && last.bodyLength == 0 && last.headers["Content-Type"] == nil)
        #expect(openDescriptors(of: file) == 0)
    }

    @Test(arguments: TransportKind.allCases)
    func `A retry sends the whole file again, and its bytes count once`(kind: TransportKind) async throws {
        let rig = try makeRig(kind) { $0.retryPolicy = RetryPolicy(maxRetries: 2, backoff: .constant(.zero)) }
        let content = bytes(3 << 20)
        let file = try rig.folder.write(content, to: "a")
        rig.server.serve("/", sequence: [.status(503), .status(502), .text("done")])
        let operation = await rig.run(put(rig, "/", .file(file)))
        #expect(operation.data == Data("done".utf8) && operation.attempts == 3)
        #expect(rig.server.requests.map(\.bodyChecksum) == Array(repeating: ContentChecksum.of(content), count: 3))
        #expect(rig.recorder.summaries.first?.bytesSent == 3 << 20)
        #expect(rig.recorder.updates.allSatisfy { $0.upload.transferred <= 3 << 20 && $0.upload.expected == 3 << 20 })
    }

    // MARK: What can be wrong with a file

    private func expectUnavailable(
        _ operation: RequestOperation, _ file: URL, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = operation.error
        #expect(error?.code == .bodyUnavailable, "\(error as Any)", sourceLocation: sourceLocation)
        #expect(
            error?.underlying is POSIXError || error?.underlying is CocoaError, "\(error?.underlying as Any)",
            sourceLocation: sourceLocation)
        #expect(operation.status == .failed && error?.operationID == operation.id, sourceLocation: sourceLocation)
        #expect(openDescriptors(of: file) == 0, sourceLocation: sourceLocation)
    }

    @Test(arguments: TransportKind.allCases)
    func `A body from a missing file, or from no file, fails without a connection`(kind: TransportKind) async throws {
        let rig = try makeRig(kind) { $0.retryPolicy = RetryPolicy(maxRetries: 5, backoff: .constant(.zero)) }
        for file in [rig.folder.file("missing"), rig.folder.url, rig.server.url("/not-here")] {
            var form = MultipartForm()
            form.append(file: file, name: "file")
            for body in [RequestBody.file(file), .multipart(form)] {
                let operation = await rig.run(put(rig, "/", body))
                expectUnavailable(operation, file)
                #expect(rig.recorder.story(of: operation) == ["start", "fail bodyUnavailable"])
            }
        }
        #expect(rig.server.connectionCount == 0)
        let missing = await rig.run(put(rig, "/", .file(rig.folder.file("missing"))))
        #expect((missing.error?.underlying as? POSIXError)?.code == .ENOENT)
        #expect(
            missing.error?.description
                == "Could not read “\(rig.folder.file("missing").path(percentEncoded: false))” to send it: No such file or directory."
        )
    }

    @Test(arguments: TransportKind.allCases)
    func `A body stream, which cannot be sent twice, is refused`(kind: TransportKind) async throws {
        let rig = try makeRig(kind)
        var request = put(rig, "/", nil)
        request.urlRequest.httpBodyStream = InputStream(data: Data("stream".utf8))
        expectUnavailable(await rig.run(request), rig.folder.url)
        #expect(rig.server.connectionCount == 0)
    }

    @Test(arguments: TransportKind.allCases)
    func `A file that is cut off while it is sent fails, unless the transport sends a copy`(
        kind: TransportKind
    ) async throws {
        let rig = try makeRig(kind)
        let size: Int64 = 32 << 20
        let file = rig.folder.file("large")
        #expect(FileManager.default.createFile(atPath: file.path(percentEncoded: false), contents: nil))
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(size))
        // Nothing is read: what the sockets' buffers hold has been sent, and the rest has not been read yet.
        let gate = Gate()
        rig.server.serve("/", .text("done").gated(by: gate, at: .beforeRequestBody))
        let operation = rig.queue.add(put(rig, "/", .file(file)))
        rig.queue.go()
        #expect(await gate.waitForArrival(count: 1))
        try handle.truncate(atOffset: UInt64(size / 2))
        try handle.close()
        gate.open()
        await rig.recorder.waitForDrain()
        if kind.copiesLargeBodies {
            // The copy was complete before the connection was made: it is sent as the file had been.
            #expect(operation.error == nil)
            #expect(rig.server.requests.first?.bodyLength == size)
        } else {
            expectUnavailable(operation, file)
            #expect(rig.server.requests.allSatisfy { !$0.isComplete })
        }
    }

    // MARK: Descriptors and cancellation

    @Test(arguments: TransportKind.allCases)
    func `A thousand queued uploads hold no more descriptors than those that run`(kind: TransportKind) async throws {
        let rig = try makeRig(kind) { $0.maxConcurrentRequestCount = 4 }
        let file = try rig.folder.write(bytes(2 << 20), to: "a")
        let gate = Gate()
        rig.server.serve("/*", .text("done").gated(by: gate, at: .beforeRequestBody))
        for number in 0..<1000 { rig.queue.add(put(rig, "/\(number)", .file(file))) }
        #expect(openDescriptors(of: file) == 0)
        rig.queue.go()
        #expect(await gate.waitForArrival(count: 4))
        #expect(openDescriptors(of: file) <= 4)
        rig.queue.cancelAll()
        await rig.recorder.waitForDrain()
        #expect(openDescriptors(of: file) == 0)
        #expect(rig.recorder.summaries.first?.counts.cancelled == 1000)
        gate.open()
    }

    // MARK: Progress

    @Test(arguments: TransportKind.allCases)
    func `Progress counts bytes that were sent, not those that were read ahead`(kind: TransportKind) async throws {
        let rig = try makeRig(kind)
        let size: Int64 = 32 << 20
        let file = rig.folder.file("large")
        #expect(FileManager.default.createFile(atPath: file.path(percentEncoded: false), contents: nil))
        try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(size))
        let gate = Gate()
        rig.server.serve("/", .text("done").gated(by: gate, at: .beforeRequestBody))
        let operation = RequestOperation(put(rig, "/", .file(file)))
        let calls = Gathering<(fraction: Double?, bytes: Int64, total: Int64?)>()
        operation.uploadProgressHandler = { calls.add(($0, $1, $2)) }
        rig.queue.add(operation)
        // The size is known before anything runs.
        #expect(rig.queue.progress.upload == .init(transferred: 0, expected: size))
        rig.queue.go()
        #expect(await gate.waitForArrival(count: 1))
        // Only the sockets' buffers can have taken anything, and they are far smaller than the file.
        #expect(rig.queue.progress.upload.transferred < size / 2)
        gate.open()
        await rig.recorder.waitForDrain()
        #expect(operation.error == nil)
        #expect(rig.queue.progress.upload == .init(transferred: size, expected: size))
        let bytes = calls.values.map(\.bytes)
        #expect(bytes == bytes.sorted() && bytes.last == size)
        #expect(calls.values.allSatisfy { $0.total == size && $0.fraction == Double($0.bytes) / Double(size) })
        #expect(rig.recorder.updates.allSatisfy { $0.upload.expected == size })
    }

    @Test func `A file that grows between adding and starting counts as it is when it is sent`() async throws {
        let rig = try makeRig(TransportKind.allCases[0])
        let file = rig.folder.file("late")
        let operation = rig.queue.add(put(rig, "/", .file(file)))
        try rig.folder.write(bytes(5000), to: "late")
        await rig.queue.run()
        #expect(operation.error == nil)
        #expect(rig.recorder.summaries.first?.bytesSent == 5000)
        #expect(rig.server.requests.first?.bodyLength == 5000)
    }
}

extension TransportKind {
    /// Whether large bodies are sent from a copy.
    fileprivate var copiesLargeBodies: Bool { self == .urlSession }
}
