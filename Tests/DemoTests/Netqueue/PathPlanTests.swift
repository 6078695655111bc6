import Foundation
import Testing

@testable import netqueue

@Suite("Where files go")
struct PathPlanTests {
    private func paths(_ urls: String...) -> [String] {
        PathPlan(urls.compactMap { URL(string: $0) }).paths.map { $0.joined(separator: "/") }
    }

    @Test func `one URL gives its file's name`() {
        #expect(paths("http://h/a/b/c.tar.gz?x=1#y") == ["c.tar.gz"])
        #expect(paths("http://h") == ["index.html"])
        #expect(paths("http://h/a/") == ["index.html"])
    }

    @Test func `several URLs keep their paths below the folder they share`() {
        #expect(
            paths("http://h/include/foo/a.h", "http://h/include/b.h", "http://h/include/foo/bar/c.h")
                == ["foo/a.h", "b.h", "foo/bar/c.h"])
        #expect(paths("http://h/x/a", "http://h/y/a") == ["x/a", "y/a"])
        #expect(paths("http://h/x/a", "http://h/xy/a") == ["x/a", "xy/a"])
    }

    @Test func `several hosts get a folder each`() {
        #expect(paths("http://one/x/a", "http://TWO:8080/x/a") == ["one/x/a", "two:8080/x/a"])
        #expect(paths("http://h:1/x/a", "http://h:2/x/a") == ["h:1/x/a", "h:2/x/a"])
        #expect(paths("http://one/x/a", "https://ONE/x/b") == ["a", "b"])
    }

    @Test func `equal paths get numbers`() {
        #expect(
            paths("http://h/a.h?1", "http://h/a.h?2", "http://h/%61.h", "http://h/a-2.h")
                == ["a.h", "a-2.h", "a-3.h", "a-2-2.h"])
        #expect(paths("http://h/x/", "http://h/x/index.html") == ["index.html", "index-2.html"])
    }

    @Test func `a file gives way to a folder`() {
        #expect(paths("http://h/a", "http://h/a/b") == ["a-2", "a/b"])
        #expect(paths("http://h/a/b", "http://h/a", "http://h/a-2") == ["a/b", "a-2", "a-2-2"])
    }

    @Test(arguments: [
        ("http://h/../../etc/passwd", "etc/passwd"), ("http://h/a/%2e%2e/%2E%2E/%2e%2e/b", "b"),
        ("http://h/a/..%2f..%2fb", "a/.._.._b"), ("http://h/a/b%00c%0Ad%1b", "a/b_c_d_"), ("http://h//a///b", "a/b"),
        ("http://h/a/./b/.", "a/b/index.html"), ("http://h/a/b/..", "a/index.html"), ("http://h/%FF", "%FF"),
        ("http://h/%E6%97%A5%20x", "日 x"), ("http://h/..", "index.html"), ("http://h/a%5Cb", "a_b"),
        ("http://h/...", "..."), ("http://h/%20../%20/b%20", "_/_/b"),
        ("http://h/x.nqk.part/x.nqk.part", "x.nqk.part_/x.nqk.part_"),
    ])
    func `names are decoded, and none leaves the folder`(url: String, path: String) throws {
        #expect(try #require(URL(string: url)).safePathComponents.joined(separator: "/") == path)
    }

    @Test func `a long name is cut before its extension`() throws {
        let name = String(repeating: "é", count: 300) + ".tar"
        let url = try #require(URL(string: "http://h")).appending(component: name)
        let cut = try #require(url.safePathComponents.last)
        #expect(cut.utf8.count == 240)
        #expect(cut.hasSuffix("é.tar"))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `no two files of a run meet, whatever the URLs`(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        let parts = ["a", "b", "a-2", "..", ".", "", "%61", "index.html", "a.h"]
        let urls = try (0..<300).map { _ in
            let path = (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
                parts.randomElement(using: &generator)
            }
            return try #require(URL(string: "http://h/" + path.joined(separator: "/")))
        }
        let paths = PathPlan(urls).paths
        #expect(Set(paths).count == paths.count)
        let folders = Set(paths.flatMap { path in path.indices.map { Array(path[..<$0]) } })
        #expect(paths.allSatisfy { !folders.contains($0) })
        #expect(paths.allSatisfy { $0.allSatisfy { !["", ".", ".."].contains($0) && !$0.contains("/") } })
    }
}
