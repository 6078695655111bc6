import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct SplitDownloadTests {
    /// Makes helpers, and gives them their slots when the test says so.
    private final class Owner: RequestRunDelegate {
        final class Helper: SplitHelper {
            let id = RequestID.next()
            func cancel() {}
        }

        let waiting = Guarded<[any SplitHelper]>([])

        func makeHelper(of split: SplitDownload) -> (any SplitHelper)? { Helper() }
        func requestSlot(for helper: any SplitHelper) { waiting.withLock { $0.append(helper) } }
        func requestDid(_ event: RequestEvent) {}
        func requestWillRedirect(to target: HTTPExchange, answer: @escaping @Sendable (RedirectAnswer) -> Void) {}
        var answersChallenges: Bool { false }
        func requestDidReceive(
            _ challenge: AuthenticationChallenge, answer: @escaping @Sendable (URLCredential?) -> Void
        ) {}
        func requestSlot() {}
        func requestWillTurn(to mirror: URL) {}
        func hold(_ host: String, for delay: Duration) {}
    }

    private let folder: TemporaryFolder
    private let owner = Owner()
    private let split: SplitDownload

    init() throws {
        folder = try TemporaryFolder()
        let part = try PartFile.make(PartNames(folder.file("a")))
        let sidecar = Sidecar(url: "http://a/", validators: Validators(entityTag: "\"1\""), total: 1 << 20)
        #expect(try part.restart(as: sidecar))
        split = SplitDownload(
            part, of: PartOwner(url: "http://a/"), sidecar, total: 1 << 20,
            rule: NetworkRequest.Splitting(maxParts: 4, minPartSize: 1024), owner: owner)
    }

    private func write(_ count: Int, of share: SplitDownload.Share) throws -> ExchangeDisposition {
        try [UInt8](repeating: 1, count: count).withUnsafeBytes { try split.write($0, of: share) }
    }

    private func own() throws -> SplitDownload.Share {
        guard case .fetch(let share) = split.next() else { throw POSIXError(.EINVAL) }
        split.askForHelper()
        return share
    }

    /// Gives the helper that waits its slot.
    private func begin() -> (helper: any SplitHelper, share: SplitDownload.Share)? {
        guard let helper = owner.waiting.withLock({ $0.popLast() }), let share = split.begin(helper) else { return nil }
        return (helper, share)
    }

    @Test
    func `A server that breaks off one part after the other is not asked for ever`() throws {
        _ = try own()
        var count = 0
        while let (helper, share) = begin(), count < 100 {
            count += 1
            _ = try write(10, of: share)
            split.end(helper, NetworkError(.connectionLost))
        }
        #expect(count == 8)
    }

    @Test
    func `A helper that gets nothing is the last one`() throws {
        _ = try own()
        let first = try #require(begin())
        split.end(first.helper, NetworkError(.httpStatus(503)))
        #expect(begin() == nil && owner.waiting.withLock { $0.isEmpty })
    }

    @Test
    func `One helper waits at a time, and no more fetch than may`() throws {
        _ = try own()
        var begun = 0
        while begin() != nil { begun += 1 }
        #expect(begun == 3 && owner.waiting.withLock { $0.isEmpty })
    }

    @Test
    func `What is there is recorded as it was written, whoever has written it`() throws {
        let first = try own()
        let second = try #require(begin())
        _ = try write(1000, of: first)
        _ = try write(2000, of: second.share)
        split.abandon()
        #expect(folder.contents == ["a.nqk.part", "a.nqk.part.info"])
        let sidecar = try #require(try Sidecar.read(folder.file("a.nqk.part.info").path(percentEncoded: false)))
        let start = second.share.start
        #expect(sidecar.ranges == [0..<1000, start..<start + 2000])
        #expect(try write(10, of: first) == .stop, "it is over")
        let waited = Guarded(false)
        split.start(HelperWait { _ in waited.withLock { $0 = true } }, endCount: 0)
        #expect(waited.withLock { $0 }, "nobody waits for what is over")
    }

    @Test
    func `Who waits for helpers goes on when one has ended`() throws {
        let first = try own()
        let second = try #require(begin())
        _ = try write(10, of: second.share)
        #expect(try write(1 << 20, of: first) == .stop)
        #expect(split.end(first) == .whole)
        guard case .fetch = split.next() else { throw POSIXError(.EINVAL) }
        let count = split.endCount
        let ends = Guarded(0)
        split.start(HelperWait { _ in ends.withLock { $0 += 1 } }, endCount: count)
        #expect(ends.withLock { $0 } == 0)
        split.end(second.helper, nil)
        #expect(ends.withLock { $0 } == 1)
        split.discard()
        #expect(folder.contents.isEmpty && ends.withLock { $0 } == 1)
    }
}
