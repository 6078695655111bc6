import Foundation
import LoopbackHTTP
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// What one operation of a run has stored, another of that run neither replaces nor keeps.
@Suite(.timeLimit(.minutes(10)))
struct StoredFilesTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    /// Two names of one file: `link` leads to the folder itself.
    private func makeRig() throws -> QueueRig<NetworkQueue> {
        let rig = QueueRig.started()
        try FileManager.default.createSymbolicLink(
            atPath: rig.folder.file("link").path(percentEncoded: false), withDestinationPath: ".")
        return rig
    }

    /// - Parameter isSmall: whether the file is known to be small, so that it needs no part.
    private func receive(_ text: String, _ exchange: ScriptedExchange, isSmall: Bool) {
        exchange.receive(headers: isSmall ? ["Content-Length": "\(text.utf8.count)"] : [:])
        exchange.receive(Data(text.utf8))
        exchange.end()
    }

    /// The second download brings the same content if it is small.
    @Test(
        arguments: [
            .fail, .overwrite, .keepIfCurrent(otherwise: .overwrite), .keepIfCurrent(otherwise: .fail),
            .keepIfCurrent(otherwise: .rename),
        ] as [Destination.ConflictPolicy], [false, true])
    func `A file that a run has stored is neither replaced by another download of the run nor kept for it`(
        _ policy: Destination.ConflictPolicy, isSmall: Bool
    ) async throws {
        let rig = try makeRig()
        let (first, one) = await rig.start(rig.request("1", onConflict: policy))
        let (second, two) = await rig.start(rig.request("2", to: "link/file", onConflict: policy))
        receive("one", one, isSmall: isSmall)
        await rig.end(of: first)
        receive(isSmall ? "one" : "two", two, isSmall: isSmall)
        await rig.end(of: second)
        #expect(first.error == nil)
        #expect(try rig.folder.read("file") == "one")
        if policy == .keepIfCurrent(otherwise: .rename) {
            #expect(second.error == nil && second.fileURL == rig.folder.file("link/file-2"))
            #expect(rig.folder.contents == ["file", "file-2", "link"])
        } else {
            #expect(second.error?.posixCode == .EEXIST && second.error?.hasSameName == true)
            #expect(rig.folder.contents == ["file", "link"])
        }
    }

    @Test(arguments: [false, true])
    func `A file that a run has stored is not kept for another download of the run`(isAsked: Bool) async throws {
        let rig = try makeRig()
        let policy = Destination.ConflictPolicy.keepIfCurrent(otherwise: .fail)
        let head: HTTPHeaders = ["Content-Length": "3", "Last-Modified": Self.date]
        // It keeps the run from draining.
        let (_, last) = await rig.start(rig.request("3", to: "third"))
        var second: RequestOperation?
        var two: ScriptedExchange?
        if !isAsked { (second, two) = await rig.start(rig.request("2", to: "link/file", onConflict: policy)) }
        let first = await rig.run(
            rig.request("1", onConflict: policy),
            answers: [.text("one", head)])
        #expect(first.error == nil)
        if isAsked { (second, two) = await rig.start(rig.request("2", to: "link/file", onConflict: policy)) }
        #expect(two?.exchange.headers.contains("If-Modified-Since") == false)
        two?.answer(.text("one", head))
        if let second { await rig.end(of: second) }
        #expect(second?.error?.hasSameName == true)
        last.answer(.ok())
    }

    /// - Parameter isConditional: whether the server answers with a 304. If not, it sends the content with the date and
    ///   the size of the former file.
    @Test(arguments: [true, false])
    func `A file that this run has put in the place of a current one is not kept`(isConditional: Bool) async throws {
        let rig = try makeRig()
        try rig.folder.write("old", to: "file")
        let date = try #require(HTTPDate.date(from: Self.date))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: rig.folder.path + "/file")
        let keep = rig.request("1", onConflict: .keepIfCurrent(otherwise: .overwrite))
        let (second, two) = await rig.start(keep)
        #expect(two.exchange.headers["If-Modified-Since"] == Self.date)
        let first = await rig.run(rig.request("2", onConflict: .overwrite), answers: [.ok("new")])
        #expect(first.error == nil)
        if isConditional {
            two.answer(.status(304))
            let whole = await rig.transport.exchange(2)
            #expect(!whole.exchange.headers.contains("If-Modified-Since"))
            whole.answer(.ok("old"))
        } else {
            two.answer(.text("old", ["Content-Length": "3", "Last-Modified": Self.date]))
        }
        await rig.end(of: second)
        #expect(second.error?.hasSameName == true)
        #expect(try rig.folder.read("file") == "new")
    }

    @Test func `A file that another program has changed meanwhile is like any other`() async throws {
        let rig = try makeRig()
        let (_, last) = await rig.start(rig.request("3", to: "third"))
        _ = await rig.run(rig.request("1", onConflict: .overwrite), answers: [.ok("one")])
        try FileManager.default.removeItem(at: rig.folder.file("file"))
        try rig.folder.write("own", to: "file")
        let second = await rig.run(rig.request("2", onConflict: .overwrite), answers: [.ok("two")])
        #expect(second.error == nil)
        last.answer(.ok())
    }

    @Test func `After a reset, in a later run, and when it is asked for again, a file is replaced`() async throws {
        let rig = try makeRig()
        let (_, last) = await rig.start(rig.request("3", to: "third"))
        for name in ["1", "2"] {
            _ = await rig.run(rig.request(name, onConflict: .overwrite), answers: [.ok(Data(name.utf8))])
        }
        #expect(try rig.folder.read("file") == "1")
        let again = rig.queue.retryFailed()
        #expect(again.count == 1)
        await rig.transport.exchange(3).answer(.ok("again"))
        for operation in again { await rig.end(of: operation) }
        #expect(try rig.folder.read("file") == "again")
        rig.queue.reset()
        rig.queue.delegate = rig.recorder
        rig.queue.go()
        let operation = await rig.run(rig.request("4", onConflict: .overwrite), answers: [.ok("4")])
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == "4")
        let later = await rig.run(rig.request("5", onConflict: .overwrite), answers: [.ok("5")])
        #expect(later.error == nil)
        #expect(try rig.folder.read("file") == "5")
        withExtendedLifetime(last) {}
    }

    @Test func `In a request queue only operations that were in it together are kept apart`() async throws {
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = 5 }
        let folder = try TemporaryFolder()
        func add(_ path: String, to name: String = "file") -> RequestOperation {
            let operation = rig.make(
                NetworkRequest(.test(path), destination: .file(folder.file(name), onConflict: .overwrite)))
            rig.queue.add(operation)
            return operation
        }
        let long = add("long", to: "long")
        let operations = [add("1"), add("2")]
        for (number, operation) in operations.enumerated() {
            await rig.transport.exchange(number + 1).answer(.ok("\(number)"))
            _ = try? await operation.response()
        }
        #expect(operations[0].error == nil && operations[1].error?.hasSameName == true)
        let later = add("3")
        await rig.transport.exchange(3).answer(.ok("later"))
        _ = try await later.response()
        #expect(try folder.read("file") == "later")
        long.cancel()
    }

    @Test func `A split download does not replace another one of its run`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let size = 1 << 20
        for path in ["/1", "/2"] {
            server.serve(
                path,
                .generated(size: Int64(size), seed: path == "/1" ? 1 : 2).acceptingRanges(etag: "\"\(path)\"")
                    .header("Content-Disposition", "attachment; filename=\"same\""))
        }
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "split"))
        queue.cancelsAllOnFailure = false
        queue.splitting = NetworkRequest.Splitting(maxParts: 4, minPartSize: 64 << 10)
        let operations = ["/1", "/2"].map { path in
            var request = NetworkRequest.download(server.url(path), to: folder.file(String(path.dropFirst())))
            request.destination = .file(folder.file(String(path.dropFirst())), onConflict: .overwrite)
            request.usesSuggestedFileName = true
            return queue.add(request)
        }
        await queue.run()
        let errors = operations.compactMap(\.error)
        #expect(errors.count == 1 && errors.first?.hasSameName == true)
        #expect(folder.contents == ["same"])
    }
}
