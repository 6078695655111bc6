import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

struct SafeFileNameTests {
    private func name(_ text: String) throws -> String {
        try #require(URL(webAddress: text)).safeFileName
    }

    @Test(arguments: [
        ("http://h/a/b.txt", "b.txt"), ("http://h/a/b.txt?x/y#z/w", "b.txt"),
        ("http://h/a%20b%5B1%5D.txt", "a b[1].txt"),
        ("http://h/%E6%97%A5%E6%9C%AC.tar.gz", "日本.tar.gz"), ("http://h/%2525", "%25"), ("http://h/.hidden", ".hidden"),
        ("http://h/...", "..."), ("http://u:p@h:81/a@b:c", "a@b:c"),
    ])
    func `A safe file name is the last segment of the path, decoded`(text: String, expected: String) throws {
        #expect(try name(text) == expected)
    }

    @Test(arguments: [
        "http://h", "http://h/", "http://h/a/", "http://h?a/b", "http://h#a/b", "http://h/a/..", "http://h/%20",
        "http://h/%20..", "http://h/%E3%80%80",
    ])
    func `A safe file name is index.html if nothing is left of the path`(text: String) throws {
        #expect(try name(text) == "index.html")
    }

    @Test(arguments: [
        ("a%2fb", "a_b"), ("..%2F..%2fetc%2fpasswd", ".._.._etc_passwd"), ("..%5C..%5cx", ".._.._x"),
        ("a%00.txt", "a_.txt"),
        ("a%0D%0Ab%1B%5B31m%7F", "a__b_[31m_"), ("a%C2%85b%E2%80%A8c", "a_b_c"), ("%E2%80%AEgpj.exe", "_gpj.exe"),
        ("%20%20a%20b%20", "a b"), ("%09a%C2%A0", "_a"), ("%FF", "%FF"), ("%C3%A4%C3", "%C3%A4%C3"),
        ("%ED%A0%80", "%ED%A0%80"),
        ("a.nqk.part", "a.nqk.part_"), (".nqk.part", ".nqk.part_"), ("a.NQK.Part.info", "a.NQK.Part.info_"),
        ("a.nqk%2epart.info.new", "a.nqk.part.info.new_"), ("a.nqk.part.infos", "a.nqk.part.infos"),
        ("nqk.part", "nqk.part"),
    ])
    func `A harmful segment of a URL becomes a harmless file name`(segment: String, expected: String) throws {
        #expect(try name("http://h/dir/\(segment)") == expected)
    }

    @Test(arguments: [
        (String(repeating: "a", count: 300) + ".tar", 255, "aaa.tar"),
        (String(repeating: "%C3%A9", count: 200) + ".zip", 254, "éé.zip"),
        (String(repeating: "%E6%97%A5", count: 100), 255, "日日"),
        (String(repeating: "%F0%9F%98%80", count: 100) + "x", 252, "😀"),
        ("e" + String(repeating: "%CC%81", count: 300), 255, "\u{301}"),
        (String(repeating: "a", count: 252) + "%20%20%20bcd", 252, "aaa"),
        ("a." + String(repeating: "b", count: 300), 255, "bbb"), ("." + String(repeating: "b", count: 300), 255, "bbb"),
        (String(repeating: "a", count: 246) + ".nqk.part" + String(repeating: "b", count: 30), 255, ".nqk.par_"),
    ])
    func `A safe file name has at most 255 bytes, and its extension if that is short`(
        segment: String, count: Int, end: String
    ) throws {
        let name = try name("http://h/\(segment)")
        #expect(name.utf8.count == count && name.utf8.reversed().starts(with: end.utf8.reversed()), "\(name)")
    }

    @Test(arguments: [
        ("file:///tmp/a%20b", "a b"), ("a/b?c", "b"), ("b", "b"), ("//h/a", "a"), ("ftp://h", "index.html"),
    ])
    func `A safe file name is made of other URLs, too`(text: String, expected: String) throws {
        #expect(try #require(URL(string: text)).safeFileName == expected)
    }

    /// The library itself accepts each as a destination.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func `A safe file name names a file that can be downloaded to`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "a", ".", "..", "%20", "%2f", "%00", "%FF", ".nqk.part", ".info", ".new", "%E2%80%AE", "e%CC%81", "%5c",
            "~", "longer",
        ]
        for _ in 0..<1000 {
            let count = Int.random(in: 0..<60, using: &random)
            let segment = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            let name = try name("http://h/\(segment)")
            #expect(!["", ".", ".."].contains(name) && name.utf8.count <= 255 && !name.contains("/"), "\(segment)")
            let file = URL(filePath: "/tmp").appending(component: name, directoryHint: .notDirectory)
            #expect(file.lastPathComponent == name, "\(segment)")
            #expect(throws: Never.self) { try PartNames(file) }
        }
    }
}
