import Foundation
import LoopbackHTTP
import Testing

@testable import netqueue

extension PathPlan {
    /// Gives entries that come together their paths.
    fileprivate mutating func paths(of entries: [ListEntry], in store: ListStore) -> [Result<[String], Clash>] {
        let numbers = entries.map { store.addEntry(store.append(($0.line + "\n").utf8)) }
        if numbering != .none { for (entry, number) in zip(entries, numbers) { claimFolders(of: entry, number) } }
        return zip(entries, numbers).map { entry, number in
            Result { () throws(Clash) in try claim(entry, number) }
        }
    }
}

struct PathPlanTests {
    private let store = ListStore()

    private func plan(strip: Int? = nil, numbering: PathPlan.Numbering = .none) -> PathPlan {
        PathPlan(PathRule(strip: strip), numbering: numbering, store: store)
    }

    private func entries(_ urls: [String]) -> [ListEntry] {
        URLList(text: urls.joined(separator: "\n"), name: "x").entries
    }

    private func paths(_ urls: String..., strip: Int? = nil, numbering: PathPlan.Numbering = .none) throws -> [String] {
        var plan = self.plan(strip: strip, numbering: numbering)
        return try plan.paths(of: entries(urls), in: store).map { try $0.get().joined(separator: "/") }
    }

    @Test func `A file gets the last part of its URL's path as its name`() throws {
        #expect(try paths("http://h/a/b/c.tar.gz?x=1#y") == ["c.tar.gz"])
        #expect(try paths("http://h/a/b/c", "http://h/a/d/e", "http://g/f") == ["c", "e", "f"])
        #expect(try paths("http://h") == ["index.html"])
        #expect(try paths("http://h/a/") == ["index.html"])
    }

    @Test func `--strip=N drops the first N parts of host and path`() throws {
        let url = "http://Host:8080/a/b/c.h"
        let expected = ["host:8080/a/b/c.h", "a/b/c.h", "b/c.h", "c.h", "c.h"]
        for (strip, path) in expected.enumerated() { #expect(try paths(url, strip: strip) == [path]) }
        #expect(try paths("http://h/x/a", "http://g/x/a", strip: 0) == ["h/x/a", "g/x/a"])
    }

    @Test func `The path that a list gives overrides the URL`() throws {
        #expect(try paths("http://h/a\tout=x/y", "http://h/a", strip: 0) == ["x/y", "h/a"])
    }

    @Test(arguments: [
        (["http://h/x/a", "http://h/b", "http://h/y/a"], 0, "a", false),
        (["http://h/a\tout=b", "http://h/b"], 0, "b", false),
        (["http://h/a/b\tout=a/b", "http://h/a"], 0, "a", true),
        (["http://h/a", "http://h/c", "http://h/a/b\tout=a/b/c"], 0, "a", true),
        (["http://h/c", "http://h/1\tout=a/b/c", "http://h/2\tout=a/b"], 1, "a/b", true),
    ])
    func `A file in the way of another is an error`(
        urls: [String], first: Int, path: String, isFolder: Bool
    ) throws {
        let entries = entries(urls)
        let last = entries.count - 1
        let clash = PathPlan.Clash(
            first: entries[first], second: entries[last], path: path, isFolder: isFolder)
        var plan = self.plan()
        let results = plan.paths(of: entries, in: store)
        #expect(results[last] == .failure(clash))
        #expect(results.dropLast().allSatisfy { (try? $0.get()) != nil })
        // Also where they become known one after the other.
        plan = self.plan()
        #expect(entries.flatMap { plan.paths(of: [$0], in: store) } == results)
    }

    /// The plan remembers some folders, and finds the others in the list.
    @Test func `Files clash with each of thousands of folders, known for long or not`() throws {
        let folders = (0..<2500).map { "http://h/x\($0)" }
        var plan = self.plan(strip: 1)
        for name in ["a", "b"] {
            let paths = plan.paths(of: entries(folders.map { "\($0)/\(name)" }), in: store)
            #expect(try paths.map { try $0.get().joined(separator: "/") } == (0..<2500).map { "x\($0)/\(name)" })
        }
        for clash in plan.paths(of: entries(folders), in: store) {
            #expect(throws: PathPlan.Clash.self) { try clash.get() }
        }
    }

    @Test func `Folders whose names look the same clash with what has their own bytes`() {
        let (one, other) = ("\u{E9}", "e\u{301}")
        var plan = self.plan()
        let list = ["http://h/1\tout=\(one)/a", "http://h/2\tout=\(other)/b", "http://h/3\tout=\(other)"]
        let paths = plan.paths(of: entries(list), in: store)
        #expect((try? paths[1].get()) != nil)
        #expect(throws: PathPlan.Clash.self) { try paths[2].get() }
    }

    @Test func `Files with one path get numbers on request`() throws {
        #expect(
            try paths("http://h/a.h?1", "http://h/a.h?2", "http://h/%61.h", "http://h/a-2.h", numbering: .all)
                == ["a.h", "a-2.h", "a-3.h", "a-2-2.h"])
        var plan = self.plan(numbering: .all)
        let results = entries(["http://h/a.h?1", "http://h/b", "http://h/a.h?2"]).flatMap {
            plan.paths(of: [$0], in: store)
        }
        #expect(try results.map { try $0.get() } == [["a.h"], ["b"], ["a-2.h"]])
        #expect(
            try paths("http://h/a", "http://h/a/b", strip: 1, numbering: .all) == ["a-2", "a/b"])
    }

    @Test func `With names from servers, only files that the list does not name get numbers`() throws {
        #expect(
            try paths("http://h/get?1", "http://h/get?2", "http://h/x\tout=a", numbering: .unnamed) == [
                "get", "get-2", "a",
            ])
        var plan = self.plan(numbering: .unnamed)
        let results = plan.paths(of: entries(["http://h/1\tout=a", "http://h/2\tout=a"]), in: store)
        #expect(throws: PathPlan.Clash.self) { try results[1].get() }
    }

    @Test(arguments: [
        ("http://h/../../etc/passwd", "etc/passwd"), ("http://h/a/%2e%2e/%2E%2E/%2e%2e/b", "b"),
        ("http://h/a/..%2f..%2fb", "a/.._.._b"), ("http://h/a/b%00c%0Ad%1b", "a/b_c_d_"), ("http://h//a///b", "a/b"),
        ("http://h/a/./b/.", "a/b/index.html"), ("http://h/a/b/..", "a/index.html"), ("http://h/%FF", "%FF"),
        ("http://h/%E6%97%A5%20x", "日 x"), ("http://h/..", "index.html"), ("http://h/a%5Cb", "a_b"),
        ("http://h/...", "..."), ("http://h/%20../%20/b%20", "_/_/b"),
        ("http://h/x.nqk.part/x.nqk.part", "x.nqk.part_/x.nqk.part_"),
    ])
    func `A path is decoded, and never leaves its folder`(url: String, path: String) throws {
        #expect(try #require(URL(string: url)).safePathComponents.joined(separator: "/") == path)
    }

    @Test func `A long name is cut before its extension`() throws {
        let name = String(repeating: "é", count: 300) + ".tar"
        let url = try #require(URL(string: "http://h")).appending(component: name)
        let cut = try #require(url.safePathComponents.last)
        #expect(cut.utf8.count == 254)
        #expect(cut.hasSuffix("é.tar"))
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `The files of random URLs never meet`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let parts = ["a", "b", "a-2", "..", ".", "", "%61", "index.html", "a.h"]
        let urls = try (0..<300).map { _ in
            let path = (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
                parts.randomElement(using: &generator)
            }
            return try #require(URL(string: "http://h/" + path.joined(separator: "/")))
        }
        var plan = self.plan(strip: 1, numbering: .all)
        let entries = urls.map { ListEntry(address: $0.absoluteString) }
        let paths = try plan.paths(of: entries, in: store).map { try $0.get() }
        #expect(Set(paths).count == paths.count)
        let folders = Set(paths.flatMap { path in path.indices.map { Array(path[..<$0]) } })
        #expect(paths.allSatisfy { !folders.contains($0) })
        #expect(paths.allSatisfy { $0.allSatisfy { !["", ".", ".."].contains($0) && !$0.contains("/") } })
    }
}
