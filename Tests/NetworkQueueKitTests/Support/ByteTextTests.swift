import TestSupport
import Testing

@testable import NetworkQueueKit

struct ByteTextTests {
    @Test(arguments: OddName.twins) func `Texts with other bytes are other keys`(one: String, other: String) {
        #expect(one == other)
        #expect(ByteText(one) != ByteText(other) && !one.equals(bytesOf: other))
        #expect(Set([ByteText(one), ByteText(other), ByteText(one + "")]).count == 2)
        #expect((ByteText(one) < ByteText(other)) != (ByteText(other) < ByteText(one)))
    }

    @Test func `Texts with the same bytes are one key, however they are stored`() {
        let long = String(repeating: "f\u{FC}", count: 100)
        for text in ["", "a", "fu\u{308}", long] {
            let rest = ("x" + text).dropFirst()
            #expect(ByteText(rest) == ByteText(text) && ByteText(rest).hashValue == ByteText(text).hashValue)
        }
        #expect(!"a".equals(bytesOf: "") && !"a".equals(bytesOf: "ab"))
    }

    @Test(arguments: OddName.joining + ["a", ""])
    func `A separator is found before whatever follows it`(name: String) {
        let path = "a/\(name)"
        #expect(path.parts(separatedBy: "/").map { ByteText($0) } == [ByteText("a"), ByteText(name)])
        #expect("/\(name)".starts(withBytesOf: "/") && "x\u{600}/".ends(withBytesOf: "/") && path.contains(byte: "/"))
        var rest = "/\(name)"[...]
        #expect(rest.skip(byte: "/") && rest.utf8.elementsEqual(name.utf8) && !rest.skip(byte: "/"))
    }
}
