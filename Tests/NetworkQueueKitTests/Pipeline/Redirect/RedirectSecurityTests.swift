import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct RedirectSecurityTests {
    private static let bound = ["Authorization", "Cookie", "Proxy-Authorization", "Host"]
    private let policy = RedirectPolicy(allowsInsecureTarget: true)

    private func exchange(_ url: String, _ headers: HTTPHeaders = [:]) throws -> HTTPExchange {
        HTTPExchange(url: try #require(URL(string: url)), headers: headers)
    }

    private func head(_ location: String, status: Int = 302, of exchange: HTTPExchange) -> ResponseHead {
        ResponseHead(statusCode: status, headers: ["Location": location], url: exchange.url)
    }

    /// Scheme, host and port, each the same or another; an explicit default port is the same as none.
    @Test(arguments: [301, 302, 303, 307, 308], ["http", "https"])
    func `Fields for one origin go along only if scheme, host and port stay the same`(status: Int, scheme: String)
        throws
    {
        let ports = [nil, 80, 443, 8080]
        var kept = 0
        for fromPort in ports {
            for toScheme in ["http", "https"] {
                for toHost in ["a.test", "A.TEST", "b.test", "a.test.", "www.a.test", "a.test.b.test"] {
                    for toPort in ports {
                        for name in Self.bound + Self.bound.map({ $0.lowercased() }) {
                            let from = "\(scheme)://a.test" + (fromPort.map { ":\($0)" } ?? "") + "/x"
                            let to = "\(toScheme)://\(toHost)" + (toPort.map { ":\($0)" } ?? "") + "/y"
                            let exchange = try exchange(from, [name: "secret", "X-Other": "kept"])
                            let target = try #require(
                                Redirect.target(
                                    of: head(to, status: status, of: exchange), for: exchange, policy: policy))
                            let isSame =
                                scheme == toScheme && toHost.lowercased() == "a.test"
                                && (fromPort ?? (scheme == "http" ? 80 : 443))
                                    == (toPort ?? (toScheme == "http" ? 80 : 443))
                            #expect(target.headers.contains(name) == isSame, "\(name): \(from) to \(to)")
                            #expect(target.headers["X-Other"] == "kept")
                            if isSame { kept += 1 }
                        }
                    }
                }
            }
        }
        // Of the 4 × 4 pairs of ports, 6 are the same; two spellings of the host; eight spellings of the fields.
        #expect(kept == 6 * 2 * 8)
    }

    @Test func `A field that has been dropped does not come back, even on the way back`() async {
        let transport = ScriptedTransport { exchange in
            switch exchange.url.absoluteString {
            case "http://host.test/a": .status(302, ["Location": "http://other.test/b"])
            case "http://other.test/b": .status(302, ["Location": "http://host.test/c"])
            default: .ok()
            }
        }
        let rig = QueueRig(transport)
        var request = URLRequest(url: .test("a"))
        for name in Self.bound { request.setValue("secret", forHTTPHeaderField: name) }
        await rig.run(request)
        #expect(transport.exchanges.count == 3)
        for name in Self.bound {
            #expect(transport.exchanges.map { $0.exchange.headers[name] } == ["secret", nil, nil], "\(name)")
        }
    }

    @Test func `The request's own credential stays with its origin and returns with it`() async {
        let transport = ScriptedTransport { exchange in
            switch exchange.url.absoluteString {
            case "http://host.test/a": .status(307, ["Location": "http://host.test:81/b"])
            case "http://host.test:81/b": .status(307, ["Location": "http://host.test/c"])
            default: .ok()
            }
        }
        let rig = QueueRig(transport)
        await rig.run(.test("a") { $0.credential = URLCredential(user: "u", password: "p", persistence: .none) })
        let sent = transport.exchanges.map { $0.exchange.headers["Authorization"] }
        #expect(sent == ["Basic dTpw", nil, "Basic dTpw"])
    }

    @Test func `A credential that an answered challenge has brought stays with its origin`() async {
        let transport = ScriptedTransport { exchange in
            switch exchange.url.host() {
            case "host.test" where !exchange.headers.contains("Authorization"):
                .status(401, ["WWW-Authenticate": "Basic realm=\"r\""])
            case "host.test": .status(302, ["Location": "http://other.test/b"])
            default: .ok()
            }
        }
        let rig = QueueRig(
            transport, credential: { _ in URLCredential(user: "u", password: "p", persistence: .none) })
        await rig.run(.test("a"))
        #expect(transport.exchanges.map { $0.exchange.headers.contains("Authorization") } == [false, true, false])
    }

    @Test func `A name and a password in a Location are not sent at all`() throws {
        let exchange = try exchange("http://a.test/x")
        let target = try #require(
            Redirect.target(of: head("http://u:p@b.test/y", of: exchange), for: exchange, policy: policy))
        #expect(target.url.absoluteString == "http://b.test/y" && !target.headers.contains("Authorization"))
    }
}
