import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LoopbackServerContentTests {
    private let content = GeneratedContent(size: 100_003, seed: 1)

    @Test func `Generated content is the same each time and differs for another seed`() {
        let bytes = content.bytes(in: 0..<content.size)
        #expect(bytes.count == 100_003)
        #expect(bytes == GeneratedContent(size: 100_003, seed: 1).bytes(in: 0..<content.size))
        #expect(bytes != GeneratedContent(size: 100_003, seed: 2).bytes(in: 0..<content.size))
        #expect(Array(bytes[0..<4096]) != Array(bytes[4096..<8192]))
    }

    @Test func `Any range is that part of the whole`() {
        let bytes = content.bytes(in: 0..<content.size)
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let bounds = [
                Int64.random(in: 0...content.size, using: &random), .random(in: 0...content.size, using: &random),
            ]
            let range = (bounds.min() ?? 0)..<(bounds.max() ?? 0)
            #expect(
                content.bytes(in: range) == Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]), "seed \(seed)")
        }
        #expect(content.bytes(in: -5..<2) == Array(bytes[0..<2]))
        #expect(content.bytes(in: 100_000..<200_000).count == 3)
    }

    @Test func `A verifier accepts the content however it is cut`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        var verifier = content.verifier()
        while verifier.position < content.size {
            #expect(!verifier.isComplete)
            let end = min(content.size, verifier.position + .random(in: 0...9000, using: &random))
            verifier.update(content.bytes(in: verifier.position..<end))
        }
        #expect(verifier.isComplete, "seed \(seed)")
        var second = content.verifier(from: 5000)
        second.update(Data(content.bytes(in: 5000..<content.size)))
        #expect(second.isComplete)
    }

    @Test func `A verifier finds every single wrong byte`() {
        let small = GeneratedContent(size: 4500, seed: 3)
        let bytes = small.bytes(in: 0..<4500)
        for index in stride(from: 0, to: 4500, by: 7) {
            var damaged = bytes
            damaged[index] ^= 1
            var verifier = small.verifier()
            verifier.update(damaged)
            #expect(!verifier.isCorrect)
        }
    }

    @Test func `A verifier finds content that is missing, doubled, exchanged or too much`() {
        let bytes = content.bytes(in: 0..<content.size)
        let missing = bytes[..<4096] + bytes[8192...]
        let doubled = bytes[..<8192] + bytes[4096...]
        let exchanged = bytes[..<4096] + bytes[8192..<12288] + bytes[4096..<8192] + bytes[12288...]
        let wrongs: [[UInt8]] = [Array(missing), Array(doubled), Array(exchanged), bytes + [0], [0] + bytes]
        for wrong in wrongs {
            var verifier = content.verifier()
            verifier.update(wrong)
            #expect(!verifier.isCorrect)
            #expect(!verifier.isComplete)
        }
        var short = content.verifier()
        short.update(Array(bytes.dropLast()))
        #expect(short.isCorrect)
        #expect(!short.isComplete)
    }

    @Test func `A file is compared with the content`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("LoopbackServer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(content.bytes(in: 0..<content.size)).write(to: file)
        #expect(try content.matches(contentsOf: file))
        #expect(try !GeneratedContent(size: 100_003, seed: 2).matches(contentsOf: file))
        #expect(try !GeneratedContent(size: 100_004, seed: 1).matches(contentsOf: file))
    }

    @Test func `A checksum does not depend on how the bytes are cut`() {
        let bytes = content.bytes(in: 0..<1003)
        for cut in 0...20 {
            var checksum = ContentChecksum()
            Array(bytes[..<cut]).withUnsafeBytes { checksum.update($0) }
            Array(bytes[cut...]).withUnsafeBytes { checksum.update($0) }
            #expect(checksum.value == ContentChecksum.of(bytes))
        }
        #expect(ContentChecksum.of([UInt8]()) != ContentChecksum.of([0] as [UInt8]))
        #expect(ContentChecksum.of([0] as [UInt8]) != ContentChecksum.of([0, 0] as [UInt8]))
    }

    @Test func `Headers keep order and duplicates and compare names without case`() {
        var headers: ReceivedHeaders = ["A": "1", "b": "2", "a": "3"]
        #expect(headers["a"] == "1")
        #expect(headers.values(for: "A") == ["1", "3"])
        #expect(headers["B"] == "2")
        #expect(headers["c"] == nil)
        headers["A"] = "4"
        #expect(headers.map(\.name) == ["b", "A"])
        headers["a"] = nil
        #expect(headers.count == 1)
        #expect(ReceivedHeaders([.init("[", "x")])["{"] == nil)
    }
}
