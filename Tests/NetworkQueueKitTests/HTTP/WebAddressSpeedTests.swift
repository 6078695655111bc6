import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.serialized)
struct WebAddressSpeedTests {
    /// Each text `count` bytes long or thereabouts.
    private func texts(_ count: Int) -> [String] {
        let parts = ["a", "../", "%2e%2E/", "ü", "@", "\t", "1.", "\""]
        let starts = ["", "http://", "http://h/", "http://h?"]
        return starts.flatMap { start in
            parts.map { start + String(repeating: $0, count: count / $0.utf8.count) }
        } + ["http://h/" + String(repeating: "a/", count: count / 4) + String(repeating: "../", count: count / 6)]
    }

    /// What is quadratic would take minutes.
    @Test(.timeLimit(.minutes(10)))
    func `Reading an address takes a time that grows with the length and no faster`() throws {
        let base = try #require(WebAddress("http://a/b/c".utf8))
        for text in texts(4_000) {
            _ = URL(webAddress: text)
            _ = WebAddress(reference: text.utf8, relativeTo: base)?.url
            _ = text.withoutUserInformation
        }
    }

    @Test func `Reading an address never traps on bytes that are not UTF-8`() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = WebAddress(bytes, allowsInternationalHost: true)?.url
            _ = WebAddress("http://".utf8 + bytes, allowsInternationalHost: true)?.url
        }
    }
}
