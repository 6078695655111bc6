import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

struct StringRepairingTests {
    @Test(arguments: [UInt64.random(in: 0 ... .max)])
    func `A repaired string is the one that the standard library makes`(seed: UInt64) {
        print("repairing: seed \(seed)")
        var random = SplitMix64(seed: seed)
        let parts: [UInt8] = [0x41, 0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0x98, 0x80, 0xFF, 0xED, 0xA0, 0xF4, 0x90]
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...8, using: &random)
            let bytes = (0..<count).map { _ in parts.randomElement(using: &random) ?? 0 }
            #expect(String(repairing: bytes) == String(decoding: bytes, as: UTF8.self), "\(bytes)")
        }
    }
}
