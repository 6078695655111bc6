import TestSupport
import Testing

@testable import NetworkQueueKit

struct ContentDispositionTests {
    private func name(_ value: String) -> String? {
        ResponseHead(statusCode: 200, headers: ["Content-Disposition": value], url: .test("a")).suggestedFileName
    }

    @Test(arguments: [
        ("attachment; filename=report.pdf", "report.pdf"), ("inline;filename=\"a b.txt\"", "a b.txt"),
        ("ATTACHMENT ; FileName = \"x.y\" ; size=3", "x.y"), ("filename=\"naked\"", nil), ("attachment", nil),
        ("", nil),
        ("attachment; filename=", nil), ("attachment; filename=\"\"", nil), ("attachment; filename", nil),
        ("attachment; filename=\"a;b=c.txt\"; x=1", "a;b=c.txt"),
        ("attachment; filename=\"say \\\"hi\\\".txt\"", "say \"hi\".txt"),
        ("attachment; filename=\"open", "open"), ("attachment; filename=a b.txt", "a b.txt"),
        ("attachment; filename=first; filename=second", "first"), ("attachment; filename=\"x\" junk; foo=\"y\"", "x"),
        ("attachment; filename=\"ü.txt\"", "ü.txt"), ("attachment; filename=a%20b.txt", "a%20b.txt"),
        // RFC 6266, section 5, and RFC 8187, section 3.2.3.
        ("attachment; filename=\"EURO rates\"; filename*=utf-8''%e2%82%ac%20rates", "€ rates"),
        ("attachment; filename*=UTF-8'en'%c2%a3%20rates; filename=\"pound\"", "£ rates"),
        ("attachment; filename*=iso-8859-1'en'%A3%20rates", "£ rates"),
        ("attachment; filename=\"plain\"; filename*=utf-8''%FF", "plain"),
        ("attachment; filename*=koi8-r''a; filename=b", "b"),
        ("attachment; filename*=nonsense; filename=b", "b"), ("attachment; filename*=UTF-8''a%2Fb%5cc", "c"),
    ])
    func `The file name of a Content-Disposition is read, if it has one`(value: String, expected: String?) {
        #expect(name(value) == expected)
    }

    // RFC 6266, section 4.3; issue 38, "filename= in ISO-8859-1".
    @Test(arguments: [
        ("attachment; filename=\"caf\u{E9}.txt\"", "café.txt"),
        ("attachment; filename=na\u{EF}f.txt; size=3", "naïf.txt"),
        ("attachment; filename=\"plain\"; filename*=utf-8''%e2%82%ac", "€"),
        ("attachment; filename=\"\u{FC}b\u{E9}r\"; filename*=koi8-r''a", "übér"),
        ("attachment; filename=\"\u{E9}/\u{E8}\"", "è"),
        ("attachment; filename=\"a\u{9B}[2J\"", "a_[2J"),
    ])
    func `A file name that is not UTF-8 is read as ISO-8859-1`(value: String, expected: String) throws {
        let bytes = value.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let headers = HTTPHeaders(received: Array("Content-Disposition: ".utf8) + bytes + Array("\r\n".utf8))
        #expect(ResponseHead(statusCode: 200, headers: headers, url: .test("a")).suggestedFileName == expected)
    }

    @Test(arguments: [
        ("../../etc/passwd", "passwd"), ("/etc/passwd", "passwd"), ("C:\\Windows\\notes.txt", "notes.txt"),
        ("a/b/", "b"),
        ("..", nil), (".", nil), ("/", nil), (" ", nil), (".bashrc", ".bashrc"),
        ("a\u{7}b\u{1b}[2J.txt", "a_b_[2J.txt"),
        ("x.nqk.part", "x.nqk.part_"), ("a\u{202e}gpj.exe", "a_gpj.exe"), ("  padded.txt ", "padded.txt"),
    ])
    func `The file name of a Content-Disposition is harmless`(sent: String, expected: String?) {
        #expect(name("attachment; filename=\"\(sent)\"") == expected)
        #expect(
            name(
                "attachment; filename*=UTF-8''"
                    + sent.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()) == expected)
    }

    @Test func `A file name of a Content-Disposition that is too long is cut`() {
        let name = name("attachment; filename=\"\(String(repeating: "é", count: 300)).tar\"")
        #expect(name?.utf8.count == 254 && name?.hasSuffix("é.tar") == true)
    }
}
