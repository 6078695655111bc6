import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Signed links that are revoked in the middle of a download.
@Suite(.timeLimit(.minutes(10)))
struct FreshURLOverTheWireTests {
    private static let size: Int64 = 2 << 20
    private static let content = GeneratedContent(size: size, seed: 1)
    private static let file = ScriptedResponse.generated(size: size, seed: 1).acceptingRanges(etag: "\"1\"")

    /// Serves `/a` to the links that it has signed last.
    private final class Signer: Sendable {
        let server: LoopbackServer
        private let signature = Guarded(1)

        /// - Parameter answer: the response to a request with a valid signature.
        init(_ server: LoopbackServer, answer: @escaping @Sendable (ReceivedRequest, Signer) -> ScriptedResponse) {
            self.server = server
            server.serve("/a") { [self] request in
                let isValid = request.query == "signature=\(signature.withLock { $0 })"
                return isValid ? answer(request, self) : .text("This link has expired.", status: 403)
            }
        }

        var link: URL { server.url("/a?signature=\(signature.withLock { $0 })") }

        /// Makes all links so far invalid.
        func revoke() { signature.withLock { $0 += 1 } }
    }

    private func request(_ link: URL, _ signer: Signer, _ file: URL) -> NetworkRequest {
        var request = NetworkRequest.download(link, to: file)
        request.freshURL = { _, _ in signer.link }
        return request
    }

    @Test(arguments: TransportKind.allCases)
    func `A download goes on from its part with a new link when the old one is revoked in its middle`(
        kind: TransportKind
    ) async throws {
        let rig = try LiveRig(kind) {
            $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.milliseconds(1)))
        }
        let signer = Signer(rig.server) { request, signer in
            guard request.headers["Range"] == nil else { return Self.file }
            signer.revoke()
            return Self.file.dropping(after: 1 << 20)
        }
        let old = signer.link
        let operation = await rig.run(request(old, signer, rig.folder.file("a")))
        #expect(operation.error == nil && operation.attempts == 3 && operation.request.url == old)
        #expect(try Self.content.matches(contentsOf: rig.folder.file("a")))
        #expect(rig.folder.contents == ["a"])
        let requests = rig.server.requests
        #expect(requests.map(\.query) == ["signature=1", "signature=1", "signature=2"])
        #expect(requests.last?.headers["Range"] == "bytes=\(1 << 20)-")
        #expect(rig.queue.progress.download.transferred == Self.size)
    }

    @Test(arguments: TransportKind.allCases)
    func `The parts of a split download go on with the new link`(kind: TransportKind) async throws {
        let rig = try SplittingTests.rig(kind) {
            $0.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.milliseconds(1)))
        }
        let arrivals = SplittingTests.Counter()
        let gate = Gate()
        let signer = Signer(rig.server) { _, signer in
            // When all four exchanges of the download are there, its link is revoked, and they are cut.
            let number = arrivals.increment()
            if number == 4 {
                signer.revoke()
                gate.open()
            }
            return number > 4 ? Self.file : Self.file.gated(by: gate, at: .afterHead).dropping(after: 64 << 10)
        }
        let operation = await rig.run(request(signer.link, signer, rig.folder.file("a")))
        #expect(operation.error == nil)
        #expect(try Self.content.matches(contentsOf: rig.folder.file("a")))
        #expect(rig.folder.contents == ["a"])
        let requests = rig.server.requests
        // Helpers use the new link, too.
        let renewed = requests.drop { $0.query == "signature=1" }
        #expect(renewed.allSatisfy { $0.query == "signature=2" })
        #expect(renewed.count > 1 && renewed.allSatisfy { $0.headers["Range"] != nil })
    }

    @Test(arguments: TransportKind.allCases)
    func `A batch with sizes fetches what its expired link had`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind) { $0.showsAccurateProgress = true }
        let signer = Signer(rig.server) { _, _ in Self.file }
        let old = signer.link
        signer.revoke()
        let operation = await rig.run(request(old, signer, rig.folder.file("a")))
        #expect(operation.error == nil)
        #expect(try Self.content.matches(contentsOf: rig.folder.file("a")))
        // How many follow depends on the clock: transfers do not wait long for a slow answer.
        #expect(rig.server.requests.map(\.method).starts(with: ["HEAD", "GET"]))
        #expect(rig.queue.progress.download.expected == Self.size)
    }
}
