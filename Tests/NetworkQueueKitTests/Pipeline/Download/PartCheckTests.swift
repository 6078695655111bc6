import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

/// A part that is read while it grows.
@Suite(.timeLimit(.minutes(10)))
struct PartCheckTests {
    private let folder: TemporaryFolder
    private let part: PartFile

    init() throws {
        folder = try TemporaryFolder()
        part = try PartFile.make(PartNames(folder.file("file")))
    }

    private func content(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<count / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    }

    private func check(_ content: [UInt8], size: Int64? = nil) throws -> PartCheck {
        var hash = HashAlgorithm.sha1.makeHash()
        content.withUnsafeBytes { hash.update($0) }
        var request = NetworkRequest(URL.test("a"))
        request.expectedChecksum = .sha1(hash.finish().hexadecimal)
        request.expectedDownloadSize = size
        return PartCheck(part, try #require(ContentCheck(request)))
    }

    private func write(_ content: [UInt8], _ range: Range<Int>) throws {
        try content[range].withUnsafeBytes { try part.write($0, at: Int64(range.lowerBound)) }
        part.noteLength(Int64(range.upperBound))
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `A part that grows is read once, however it grows`(seed: UInt64) throws {
        let content = content(6 << 20, seed: seed)
        let check = try check(content, size: Int64(content.count))
        var random = SplitMix64(seed: seed)
        var end = 0
        while end < content.count {
            let next = min(content.count, end + Int.random(in: 1...(2 << 20), using: &random))
            try write(content, end..<next)
            end = next
            check.noteWritten(upTo: Int64(end))
        }
        try check.verify()
        part.remove()
    }

    @Test func `A part of which nothing is read before its end is read then`() throws {
        let content = content(3 << 20, seed: 1)
        let check = try check(content)
        try write(content, 0..<content.count)
        try check.verify()
        part.remove()
    }

    @Test func `A wrong byte, a wrong size and a part that is shorter than it should be fail`() throws {
        let content = content(3 << 20, seed: 1)
        let (wrong, long, short) = (try check(content), try check(content, size: 2 << 20), try check(content))
        var other = content
        other[1 << 20] ^= 1
        try write(other, 0..<other.count)
        #expect(throws: NetworkError.self) { try wrong.verify() }
        try write(content, 0..<content.count)
        let size = #expect(throws: NetworkError.self) { try long.verify() }
        #expect(size?.code == .contentMismatch)
        short.noteWritten(upTo: 4 << 20)
        let fault = #expect(throws: NetworkError.self) { try short.verify() }
        #expect(fault?.code == .fileSystem)
        part.remove()
    }

    @Test func `A part that is no longer wanted is not read after the call, and its check is cancelled`() throws {
        let content = content(4 << 20, seed: 1)
        let check = try check(content)
        try write(content, 0..<content.count)
        check.noteWritten(upTo: Int64(content.count - 1))
        check.stop()
        part.remove()
        let error = #expect(throws: NetworkError.self) { try check.verify() }
        #expect(error?.code == .cancelled)
    }
}
