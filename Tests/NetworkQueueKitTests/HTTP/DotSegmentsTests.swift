import Testing

@testable import NetworkQueueKit

struct DotSegmentsTests {
    @Test(arguments: [
        ("/a/./b", "/a/b"), ("/a/../b", "/b"), ("/..", "/"), ("/../../a", "/a"), ("/a/..", "/"), ("/a/b/..", "/a/"),
        ("/a/.", "/a/"), ("/.", "/"), ("/./", "/"), ("/../", "/"), ("/a/%2e/b", "/a/b"), ("/a/%2E%2e/b", "/b"),
        ("/a/.%2e", "/"), ("/a/%2e./b", "/b"), ("/a//../b", "/a/b"), ("//..", "/"), ("//../..", "/"),
        ("/a/..?b/../c", "/?b/../c"), ("/a/.#b/../c", "/a/#b/../c"), ("/a/../b?", "/b?"),
        ("/a/b/../../../c/./d/", "/c/d/"),
    ])
    func `Dot segments are removed`(path: String, expected: String) {
        let bytes = Array(path.utf8)
        #expect(bytes.withUnsafeBytes(DotSegments.arePresent))
        #expect(String(decoding: bytes.withUnsafeBytes(DotSegments.removed), as: UTF8.self) == expected)
    }

    @Test(arguments: [
        "", "/", "//", "/a", "/a/", "/...", "/.a", "/a.", "/a..", "/..a/b..", "/%2", "/%2e%2", "/%2ea", "/%252e",
        "/%2e%2e%2e",
        "/a?/../b", "/a#/./b", "?/../", "#/..", "?/.", "/a./b",
    ])
    func `Dot segments are not seen in other segments, queries and fragments`(path: String) {
        let bytes = Array(path.utf8)
        #expect(!bytes.withUnsafeBytes(DotSegments.arePresent))
        if path.hasPrefix("/") { #expect(bytes.withUnsafeBytes(DotSegments.removed) == bytes) }
    }
}
