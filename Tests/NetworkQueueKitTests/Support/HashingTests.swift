import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

struct HashingTests {
    private static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
                + "nopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
        (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    ])
    func `SHA-256 is right for FIPS 180-4's examples and at a block's edges`(_ message: String, _ digest: String) {
        #expect(SHA256.hexDigest(of: message) == digest)
    }

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (alphabet, "d174ab98d277d9f5a5611c2c9f419d9f"),
        (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ])
    func `MD5 is right for the examples of RFC 1321`(_ message: String, _ digest: String) {
        #expect(MD5.hexDigest(of: message) == digest)
    }

    @Test
    func `Both hashes are right for a million times the letter a`() {
        let message = String(repeating: "a", count: 1_000_000)
        #expect(
            SHA256.hexDigest(of: message) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(MD5.hexDigest(of: message) == "7707d6ae4e027c70eea2a935c2296f21")
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `The hash does not depend on how the message is cut`(seed: UInt64) {
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let message = (0..<Int.random(in: 0...400, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            var (whole, pieces) = ((SHA256(), MD5()), (SHA256(), MD5()))
            message.withUnsafeBytes { bytes in
                whole.0.update(bytes)
                whole.1.update(bytes)
                var start = 0
                while start < bytes.count {
                    let end = min(bytes.count, start + Int.random(in: 0...130, using: &random))
                    pieces.0.update(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                    pieces.1.update(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                    start = end
                }
            }
            #expect(whole.0.hexDigest == pieces.0.hexDigest && whole.1.hexDigest == pieces.1.hexDigest)
        }
    }
}
