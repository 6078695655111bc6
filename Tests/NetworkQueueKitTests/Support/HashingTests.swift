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
        expect(.sha256, of: message, digest)
    }

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (alphabet, "d174ab98d277d9f5a5611c2c9f419d9f"),
        (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ])
    func `MD5 is right for the examples of RFC 1321`(_ message: String, _ digest: String) {
        expect(.md5, of: message, digest)
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        (String(repeating: "a", count: 55), "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
        (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    ])
    func `SHA-1 is right for FIPS 180-4's examples and at a block's edges`(_ message: String, _ digest: String) {
        expect(.sha1, of: message, digest)
    }

    @Test(arguments: [
        (
            "",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        (
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            String(repeating: "a", count: 111),
            "fa9121c7b32b9e01733d034cfc78cbf67f926c7ed83e82200ef8681819692176"
                + "0b4beff48404df811b953828274461673c68d04e297b0eb7b2b4d60fc6b566a2"
        ),
        (
            String(repeating: "a", count: 112),
            "c01d080efd492776a1c43bd23dd99d0a2e626d481e16782e75d54c2503b5dc32"
                + "bd05f0f1ba33e568b88fd2d970929b719ecbb152f58f130a407c8830604b70ca"
        ),
        (
            String(repeating: "a", count: 128),
            "b73d1929aa615934e61a871596b3f3b33359f42b8175602e89f7e06e5f658a24"
                + "3667807ed300314b95cacdd579f3e33abdfbe351909519a846d465c59582f321"
        ),
    ])
    func `SHA-512 is right for FIPS 180-4's examples and at a block's edges`(_ message: String, _ digest: String) {
        expect(.sha512, of: message, digest)
    }

    @Test(
        arguments: [
            (.md5, "7707d6ae4e027c70eea2a935c2296f21"), (.sha1, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
            (.sha256, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
            (
                .sha512,
                "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                    + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
            ),
        ] as [(HashAlgorithm, String)])
    func `A hash is right for a million times the letter a`(_ algorithm: HashAlgorithm, _ digest: String) {
        expect(algorithm, of: String(repeating: "a", count: 1_000_000), digest)
    }

    @Test(arguments: HashAlgorithm.allCases, [UInt64.random(in: 0...UInt64.max)])
    func `A hash depends neither on its implementation nor on how the message is cut`(
        _ algorithm: HashAlgorithm, seed: UInt64
    ) {
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        for count in 0...300 {
            let message = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            var whole = algorithm.makeHash()
            var pieces = [algorithm.makeHash(), algorithm.makePlainHash()]
            message.withUnsafeBytes { bytes in
                whole.update(bytes)
                var start = 0
                while start < bytes.count {
                    let end = min(bytes.count, start + Int.random(in: 0...130, using: &random))
                    for index in pieces.indices {
                        pieces[index].update(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                    }
                    start = end
                }
            }
            let digest = whole.finish()
            for var hash in pieces { #expect(hash.finish() == digest, "of \(count) bytes") }
        }
    }

    @Test(.enabled(if: SystemHash(.sha256) != nil, "this system has no library with hashes"))
    func `The system's library provides all hashes`() {
        for algorithm in HashAlgorithm.allCases { #expect(SystemHash(algorithm) != nil) }
    }

    /// Expects the digest of a message from both implementations.
    private func expect(
        _ algorithm: HashAlgorithm, of message: String, _ digest: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(algorithm.hexDigest(of: message) == digest, sourceLocation: sourceLocation)
        var plain = algorithm.makePlainHash()
        Array(message.utf8).withUnsafeBytes { plain.update($0) }
        #expect(plain.finish().hexadecimal == digest, sourceLocation: sourceLocation)
    }
}
