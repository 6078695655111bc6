import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@testable import netqueue

struct NetrcTests {
    private let netrc = Netrc(
        text: """
            # a remark
            machine One.example login first password "se cret" account none
            machine two.example
                password later
                login second
            machine two.example login third password no
            macdef init
            machine macro.example login no password no

            machine four.example login fourth
            default login anyone password at-all
            machine after.example login last password word
            """)

    @Test(arguments: [
        ("one.example", "first"), ("ONE.example", "first"), ("two.example", "second"), ("four.example", "fourth"),
        ("after.example", "last"), ("macro.example", "anyone"), ("other.example", "anyone"),
    ])
    func `A netrc has a login for each of its hosts, and a default for the rest`(host: String, user: String) {
        #expect(netrc.login(for: host)?.user == user)
    }

    @Test(arguments: OddName.joining + OddName.spaced)
    func `The words of a netrc are what stands between spaces, tabs and line ends, byte for byte`(word: String) {
        for text in ["login \(word) password \(word)", "login \(word)\tpassword \"\(word)\"\r\n# machine h"] {
            let login = Netrc(text: "machine h\n\(text)").login(for: "h")
            #expect((login?.user).equals(bytesOf: word) && (login?.password).equals(bytesOf: word))
        }
    }

    @Test func `The user in a URL chooses among the logins of its host, and a password there replaces them`() throws {
        func user(_ text: String) throws -> String? { netrc.login(for: try #require(URL(string: text)))?.user }
        #expect(try user("http://two.example/") == "second" && user("http://third@two.example/") == "third")
        #expect(try user("http://anyone@two.example/") == "anyone" && user("http://nobody@two.example/") == nil)
        #expect(try user("http://third:word@two.example/") == nil)
    }

    @Test func `A netrc names login and password in any order`() {
        #expect(netrc.login(for: "two.example")?.password == "later")
        #expect(netrc.login(for: "four.example")?.password == "")
        #expect(Netrc(text: "machine h login").login(for: "h") == nil)
        #expect(Netrc(text: "").login(for: "h") == nil)
    }

    @Test(arguments: [
        (#""super secret""#, "super secret"), (#""a \"b\" \\ c""#, #"a "b" \ c"#), (#""a # b""#, "a # b"),
        (#"plain"word"#, #"plain"word"#), (#"back\slash"#, #"back\slash"#), (#""open"#, #""open"#), (#""""#, ""),
        ("\"login machine\"", "login machine"),
    ])
    func `A password in quotes can have spaces and escaped quotes`(written: String, password: String) {
        let netrc = Netrc(text: "machine h login me password \(written)\nmachine i login you password two")
        #expect(netrc.login(for: "h") == Login(user: "me", password: password))
        #expect(netrc.login(for: "i") == Login(user: "you", password: "two"))
    }
}
