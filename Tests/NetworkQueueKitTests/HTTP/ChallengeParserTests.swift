import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

struct ChallengeParserTests {
    private func parse(_ text: String) -> [ChallengeParser.Challenge] { ChallengeParser.challenges(in: text) }

    private func challenge(_ scheme: String, _ parameters: [String: String] = [:]) -> ChallengeParser.Challenge {
        ChallengeParser.Challenge(scheme: scheme, parameters: parameters)
    }

    private func head(_ fields: String...) -> ResponseHead {
        var headers = HTTPHeaders()
        for field in fields { headers.append(name: "WWW-Authenticate", value: field) }
        return ResponseHead(statusCode: 401, headers: headers, url: .test("a"))
    }

    @Test(
        arguments: [
            ("Basic realm=\"a\"", ["realm": "a"]), ("BASIC Realm=\"a b\"", ["realm": "a b"]),
            ("Basic realm = \"a\" , charset=\"UTF-8\"", ["realm": "a", "charset": "UTF-8"]),
            ("Basic realm=\"a, Digest realm=b\"", ["realm": "a, Digest realm=b"]),
            ("Basic realm=\"say \\\"hi\\\" \\\\\"", ["realm": "say \"hi\" \\"]), ("Basic realm=a", ["realm": "a"]),
            ("Basic realm=\"\"", ["realm": ""]), ("Basic", [:]), ("Basic realm=\"open", ["realm": "open"]),
            (" ,, Basic realm=\"a\",,", ["realm": "a"]), ("Basic realm=\"a\", realm=\"b\"", ["realm": "a"]),
            ("Basic realm=\"ü\"", ["realm": "ü"]), ("Basic realm=a;b, x=y", ["realm": "a;b", "x": "y"]),
        ])
    func `One challenge is read, whether its values are quoted or not`(text: String, parameters: [String: String]) {
        #expect(parse(text) == [challenge("basic", parameters)])
    }

    @Test func `Several challenges in one field are told apart by what follows their commas`() {
        #expect(
            parse("Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\"") == [
                challenge("newauth", ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
                challenge("basic", ["realm": "simple"]),
            ])
        #expect(parse("Negotiate, Basic realm=\"x\"").map(\.scheme) == ["negotiate", "basic"])
        #expect(
            parse("Digest nonce=n,realm=r,Basic realm=s").map(\.parameters) == [
                ["nonce": "n", "realm": "r"], ["realm": "s"],
            ])
    }

    @Test(arguments: ["abc", "YWJj", "a+b/c~d-e_f.g", "YQ==", "YWI=", "=="])
    func `A token68 is not taken for a challenge, however long it is`(token: String) {
        let found = parse("Negotiate \(token), Basic realm=\"x\"")
        #expect(found.first?.scheme == "negotiate" && found.last == challenge("basic", ["realm": "x"]))
        let long = Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 256) }).base64EncodedString()
        #expect(parse("Negotiate \(long), Basic realm=\"x\"").map(\.scheme) == ["negotiate", "basic"])
        #expect(parse("Negotiate ab/Basic").map(\.scheme) == ["negotiate"])
    }

    @Test func `Of equally strong challenges the first is met`() throws {
        let head = head("Basic realm=\"a\"", "Basic realm=\"b\"")
        #expect(try ServerChallenge.strongest(in: head, isProxy: false)?.realm == "a")
    }

    @Test(arguments: ["", " ", ",", "=", "\"", "\"\"", "realm=\"x\"", "=\"x\", =", "\u{0}\u{1F600}", "a=b=c"])
    func `Garbage is no challenge that could be met`(text: String) throws {
        #expect(try ServerChallenge.strongest(in: head(text), isProxy: false) == nil)
    }

    @Test func `Random text is read to its end in search of challenges`() {
        let seed = UInt64.random(in: 0 ... .max)
        print("challenges: seed \(seed)")
        var generator = SplitMix64(seed: seed)
        let pieces = ["Basic", "Digest", "realm", "=", "\"", "\\", ",", " ", "\t", "nonce", "x", "é", "/", "=="]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<12, using: &generator)
            let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
            // Each challenge takes a token of its own.
            #expect(parse(text).count <= count, "\(text), seed \(seed)")
        }
    }

    @Test func `The strongest challenge that can be met is chosen, whatever their order and fields`() throws {
        let md5 = "Digest realm=\"m\", nonce=\"n\", algorithm=MD5"
        let sha = "Digest realm=\"s\", nonce=\"n\", algorithm=SHA-256, qop=\"auth-int, auth\""
        let other = "Digest realm=\"o\", nonce=\"n\", algorithm=SHA-512-256"
        let basic = "Basic realm=\"b\""
        let realm = { (head: ResponseHead) in try ServerChallenge.strongest(in: head, isProxy: false)?.realm }
        #expect(try realm(head(basic, md5, sha, other)) == "s" && realm(head(sha, md5, basic)) == "s")
        #expect(try realm(head("\(basic), \(md5)")) == "m" && realm(head("\(md5), \(basic)")) == "m")
        #expect(try realm(head(other, "Bearer realm=\"x\"", basic)) == "b")
        #expect(try realm(head("Basic realm=\"first\"", "Basic realm=\"second\"")) == "first")
        #expect(try realm(head("Negotiate", "NTLM", "Bearer", other)) == nil)
    }

    @Test(
        arguments: [
            "Digest realm=\"r\"", "Digest realm=\"r\", nonce=\"n\", qop=\"auth-int\"",
            "Digest realm=\"r\", nonce=\"n\", algorithm=MD4",
        ])
    func `A Digest challenge that cannot be met is left out`(text: String) throws {
        #expect(try ServerChallenge.strongest(in: head(text), isProxy: false) == nil)
    }

    @Test func `A proxy's demand stands in a field of its own`() throws {
        #expect(try ServerChallenge.strongest(in: head("Basic realm=\"b\""), isProxy: true) == nil)
        let proxy = ResponseHead(statusCode: 407, headers: ["Proxy-Authenticate": "Basic realm=\"p\""], url: .test("a"))
        #expect(try ServerChallenge.strongest(in: proxy, isProxy: true)?.realm == "p")
        #expect(try ServerChallenge.strongest(in: proxy, isProxy: false) == nil)
    }

    @Test(arguments: ["a,", "=", "a=\"", "\\", "\u{FFFD}", "a=b,", "\"", " ,", "Basic realm=\"x\", "])
    func `Challenges beyond a server's needs are refused, in time that grows with the length alone`(piece: String) {
        let large = String(repeating: piece, count: 95_000 / piece.utf8.count)
        let clock = ThreadClock()
        _ = parse(large)
        // What is quadratic takes minutes for this in a debug build, and 17 s in a release build.
        #expect(clock.elapsed < .seconds(20))
        #expect(throws: NetworkError.self) {
            try ServerChallenge.strongest(in: head(large), isProxy: false)
        }
    }

    @Test func `Up to 8 KB and 32 challenges are read`() throws {
        let few = (0..<31).map { "Scheme\($0) a=b" } + ["Basic realm=\"last\""]
        #expect(
            try ServerChallenge.strongest(in: head(few.joined(separator: ", ")), isProxy: false)?.realm == "last")
        #expect(throws: NetworkError.self) {
            try ServerChallenge.strongest(in: head((few + ["Negotiate"]).joined(separator: ", ")), isProxy: false)
        }
        let padding = String(repeating: "x", count: 8192 - "Basic realm=".utf8.count)
        #expect(
            try ServerChallenge.strongest(in: head("Basic realm=\(padding)"), isProxy: false)?.realm == padding)
        do {
            _ = try ServerChallenge.strongest(in: head("Basic realm=\(padding)", "x"), isProxy: false)
            Issue.record("more than 8 KB in two fields")
        } catch {
            #expect(error.code == .badServerResponse && error.description.contains("WWW-Authenticate"))
        }
    }
}
