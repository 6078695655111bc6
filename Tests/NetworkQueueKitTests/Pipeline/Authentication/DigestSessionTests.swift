import Testing

@testable import NetworkQueueKit

/// The examples of RFC 7616, section 3.9.1, RFC 2617, section 3.5, and RFC 2069 as corrected; the others were computed
/// with Python's hashlib from the same values.
struct DigestSessionTests {
    private static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    private static let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

    private func session(_ parameters: [String: String?] = [:]) throws -> DigestSession {
        var all: [String: String] = [
            "realm": "http-auth@example.org", "nonce": Self.nonce, "qop": "auth, auth-int",
            "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
        ]
        for (name, value) in parameters { all[name] = value }
        return DigestSession(try #require(DigestChallenge(all)))
    }

    private func answer(
        _ session: inout DigestSession, user: String = "Mufasa", password: String = "Circle of Life",
        clientNonce: String = Self.clientNonce
    ) throws -> [String: String] {
        let value = session.authorization(
            user: user, password: password, method: "GET", target: "/dir/index.html", clientNonce: clientNonce)
        let challenge = try #require(ChallengeParser.challenges(in: value).first)
        #expect(challenge.scheme == "digest")
        return challenge.parameters
    }

    @Test(
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
            ("MD5-sess", "e783283f46242139c486a698fec7211d"),
            ("SHA-256-sess", "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"),
        ])
    func `The example of RFC 7616 is answered with each algorithm`(algorithm: String, response: String) throws {
        var session = try session(["algorithm": algorithm])
        let fields = try answer(&session)
        #expect(
            fields == [
                "username": "Mufasa", "realm": "http-auth@example.org", "uri": "/dir/index.html",
                "algorithm": algorithm, "nonce": Self.nonce, "nc": "00000001", "cnonce": Self.clientNonce,
                "qop": "auth", "response": response, "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
            ])
    }

    @Test func `The example of RFC 2617 is answered without an algorithm that was not asked for`() throws {
        var session = try session([
            "realm": "testrealm@host.com", "nonce": "dcd98b7102dd2f0e8b11d0f600bfb0c093",
            "opaque": "5ccc069c403ebaf9f0171e9517f40e41",
        ])
        let fields = try answer(&session, password: "Circle Of Life", clientNonce: "0a4f113b")
        #expect(fields["response"] == "6629fae49393a05397450978507c4ef1" && fields["algorithm"] == nil)
    }

    @Test func `A server without qop gets neither count nor client nonce`() throws {
        var session = try session([
            "realm": "testrealm@host.com", "nonce": "dcd98b7102dd2f0e8b11d0f600bfb0c093", "qop": nil, "opaque": nil,
        ])
        let fields = try answer(&session, password: "CircleOfLife")
        #expect(fields["response"] == "1949323746fe6a43ef61f9606e7febea")
        #expect(Set(fields.keys) == ["username", "realm", "nonce", "uri", "response"])
    }

    @Test func `A session variant without qop gets the client nonce, which it needs`() throws {
        var session = try session(["algorithm": "MD5-sess", "qop": nil])
        let fields = try answer(&session)
        #expect(fields["response"] == "37a7f42db2090a3fcac4e26e747d4fc8")
        #expect(fields["cnonce"] == Self.clientNonce && fields["nc"] == nil)
    }

    @Test(
        arguments: [
            ("MD5", "4238f3a16167373febb9bc4d43db9cc4"),
            ("SHA-256", "a947aad205e80e429958a387394944c6b496301e79f89d35a4cc23b6ee12b5b6"),
        ])
    func `The name is hashed if the server wants that`(algorithm: String, name: String) throws {
        var session = try session(["algorithm": algorithm, "userhash": "TRUE"])
        let fields = try answer(&session)
        #expect(fields["username"] == name && fields["userhash"] == "true")
        // The name itself goes into the response all the same.
        var plain = try self.session(["algorithm": algorithm])
        #expect(try answer(&plain)["response"] == fields["response"])
    }

    @Test func `Quotes and backslashes are escaped`() throws {
        var session = try session(["realm": "say \"hi\" \\"])
        let fields = try answer(&session, user: "a\"b\\c")
        #expect(fields["realm"] == "say \"hi\" \\" && fields["username"] == "a\"b\\c")
    }

    @Test func `Client nonces are 16 hexadecimal digits and differ each time`() {
        let nonces = (0..<100).map { _ in String.clientNonce }
        #expect(Set(nonces).count == 100)
        #expect(nonces.allSatisfy { $0.count == 16 && $0.allSatisfy(\.isHexDigit) })
    }
}
