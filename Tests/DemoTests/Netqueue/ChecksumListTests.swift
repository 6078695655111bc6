import NetworkQueueKit
import TestSupport
import Testing

@testable import netqueue

struct ChecksumListTests {
    private static let sha256 = String(repeating: "a1", count: 32)
    private static let sha512 = String(repeating: "b2", count: 64)
    private static let sha1 = String(repeating: "c3", count: 20)
    private static let md5 = String(repeating: "d4", count: 16)

    @Test(
        arguments: [
            ("\(sha256)  a b.iso", "a b.iso", .sha256(sha256)), ("\(sha256) *a.iso", "a.iso", .sha256(sha256)),
            ("\(sha256) a.iso", "a.iso", .sha256(sha256)), ("\(md5)\ta.iso", "a.iso", .md5(md5)),
            ("\(sha1)   spaced", " spaced", .sha1(sha1)), ("\(sha512)  ./x//y.iso", "x/y.iso", .sha512(sha512)),
            ("SHA256 (a (1).iso) = \(sha256)", "a (1).iso", .sha256(sha256)),
            ("SHA512(a.iso)= \(sha512)", "a.iso", .sha512(sha512)), ("MD5 (a.iso) = \(md5)", "a.iso", .md5(md5)),
            ("SHA1 (a) = b) = \(sha1)", "a) = b", .sha1(sha1)),
            ("\\\(sha256)  a\\nb\\\\c\\r", "a\nb\\c\r", .sha256(sha256)),
            ("\\SHA256 (a\\nb) = \(sha256)", "a\nb", .sha256(sha256)),
            ("\(sha256)  a\\nb", "a\\nb", .sha256(sha256)),
            ("\(sha256.uppercased())  a", "a", .sha256(sha256.uppercased())),
        ] as [(String, String, NetworkRequest.Checksum)])
    func `A line of a checksum list has the form of GNU or of BSD`(
        line: String, name: String, checksum: NetworkRequest.Checksum
    ) {
        let list = ChecksumList(text: line, name: "x")
        #expect(list.lines.map { $0.name.joined(separator: "/") } == [name])
        #expect(list.lines.map(\.checksum) == [checksum])
        #expect(list.badLines.isEmpty)
    }

    @Test(arguments: OddName.joining + OddName.spaced + ["x ", "\u{2028}"])
    func `The name in a checksum list is what stands between the separators, byte for byte`(name: String) {
        for line in ["\(Self.sha256)  \(name)", "\(Self.sha256) *\(name)", "SHA256 (\(name)) = \(Self.sha256)"] {
            for end in ["", "\n", "\r\n"] {
                let list = ChecksumList(text: "\(line)\(end)", name: "x")
                #expect(list.lines.map { ByteText($0.name[0]) } == [ByteText(name)] && list.badLines.isEmpty)
            }
        }
        let list = ChecksumList(text: "\\\(Self.sha256)  a\\n\(name)/\(name)", name: "x")
        #expect(list.lines.map { $0.name.map { ByteText($0) } } == [[ByteText("a\n\(name)"), ByteText(name)]])
    }

    /// `sha256sum -c` takes the form of the first line for that of all.
    @Test func `Each line of a checksum list can have another form`() {
        let lines = ["\(Self.sha256) one", "\(Self.md5)  two", "SHA1 (three) = \(Self.sha1)", "\(Self.sha512) *four"]
        for shift in lines.indices {
            let turned = lines[shift...] + lines[..<shift]
            let list = ChecksumList(text: turned.joined(separator: "\r\n") + "\n", name: "x")
            #expect(Set(list.lines.map { $0.name[0] }) == ["one", "two", "three", "four"])
            #expect(list.badLines.isEmpty)
        }
    }

    @Test(arguments: ["nonsense\n", "\(sha256)\n"])
    func `After 10,000 invalid lines, the rest of a checksum list is not read`(line: String) {
        let text = "\(Self.md5)  a\n" + String(repeating: line, count: 10_005) + "\(Self.md5)  b\n"
        let list = ChecksumList(text: text, name: "x")
        let reason = "more than 10000 lines are invalid; the rest of the list is not read"
        #expect(list.badLines.count == 10_001 && list.badLines.contains { $0.reason == reason })
        #expect(list.lines.map(\.name) == [["a"]])
    }

    @Test func `A checksum list can have remarks and a PGP signature`() {
        let text = """
            -----BEGIN PGP SIGNED MESSAGE-----
            Hash: SHA256

            # a.iso: 12 bytes
            SHA256 (a.iso) = \(Self.sha256)

            -----BEGIN PGP SIGNATURE-----

            iQIzBAEBCAAdFiEE
            -----END PGP SIGNATURE-----
            \(Self.sha256)  b.iso
            """
        let list = ChecksumList(text: text, name: "x")
        #expect(list.lines.map(\.name) == [["a.iso"], ["b.iso"]] && list.badLines.isEmpty)
    }

    @Test(arguments: ["\(sha256)", "\(sha256)  -", "\n\(sha256)\t\n"])
    func `A list that is one checksum without a name has it for a single file`(text: String) {
        let list = ChecksumList(text: text, name: "SUMS")
        #expect(list.bare?.digits == Self.sha256 && list.lines.isEmpty && list.badLines.isEmpty)
        #expect(ChecksumList(text: "\(Self.sha256)\n\(Self.sha256)\n", name: "SUMS").badLines.count == 2)
    }

    @Test(arguments: ["-", "\t", "  ", " - ", "a b", " a", "*a", "a\\b", "a\nb", "a\r", "SHA256 (a) = b"])
    func `A line that is written for a file is read as that of the file`(name: String) throws {
        let checksum = try #require(ChecksumList(text: "\(Self.sha256)  a\n", name: "SUMS").lines.first?.checksum)
        let list = ChecksumList(text: ChecksumList.line(name, checksum) + "\n", name: "SUMS")
        #expect(list.lines.map(\.name) == [[name]] && list.lines.first?.checksum == checksum)
    }

    @Test(arguments: [
        "garbage", "\(sha256)", "\(sha256)x  a", "\(sha256.dropLast())  a", "SHA256 (a) = \(md5)", "CRC (a) = 00",
        "\\\(sha256)  a\\tb", "\(sha256)  ", "\(sha256)  .",
    ])
    func `A line that is not a checksum is reported with its place`(line: String) {
        let list = ChecksumList(text: "\(Self.sha256)  a\n\(line)\n", name: "SUMS")
        #expect(list.lines.count == 1 && list.badLines.map(\.source) == ["SUMS:2"])
    }
}
