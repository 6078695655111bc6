import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct URLOverTheWireTests {
    @Test(arguments: TransportKind.allCases)
    func `A Location with raw and encoded characters leads to the URL that it means`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/*", .text("here"))
        for (location, target) in [
            ("/sub%20dir/mix [1].txt", "/sub%20dir/mix%20%5B1%5D.txt"),
            ("b%20c|d?e%2ff=[g]", "/b%20c%7Cd?e%2ff=%5Bg%5D"),
            ("/a/../b/%2e%2E/c", "/c"), ("/100%", "/100%25"), ("  /a  ", "/a"),
        ] {
            rig.server.serve("/from", .redirect(to: location))
            #expect(await rig.get("/from").data == Data("here".utf8), "\(location)")
            #expect(rig.server.requests.last?.target == target)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `Digest signs the URL as it is sent, with or without dot segments`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/*") { request in
            Self.isSigned(request)
                ? .text("in")
                : .status(401, headers: ["WWW-Authenticate": "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""])
        }
        for path in ["/a", "/a/../b/./c?d/../e", "/%2e%2e/%2f?%2F", "?a", "", "/a?"] {
            let url = try #require(URL(string: "http://127.0.0.1:\(rig.server.port)\(path)"))
            var request = NetworkRequest(url)
            request.credential = .test("user", "word")
            let operation = await rig.run(request)
            #expect(operation.data == Data("in".utf8), "\(path)")
        }
    }

    /// Whether the request has the right signature for the target that has arrived (RFC 7616).
    private static func isSigned(_ request: ReceivedRequest) -> Bool {
        guard let value = request.headers["Authorization"], value.hasPrefix("Digest ") else { return false }
        var fields: [String: String] = [:]
        for part in value.dropFirst("Digest ".count).components(separatedBy: ", ") {
            guard let equals = part.firstIndex(of: "=") else { continue }
            fields[String(part[..<equals])] = part[part.index(after: equals)...].trimmingCharacters(in: ["\""])
        }
        let secret = HashAlgorithm.md5.hexDigest(of: "user:r:word")
        let subject = HashAlgorithm.md5.hexDigest(of: "\(request.method):\(request.target)")
        let use = ["nonce", "nc", "cnonce"].map { fields[$0] ?? "" }.joined(separator: ":")
        return fields["uri"] == request.target
            && fields["response"] == HashAlgorithm.md5.hexDigest(of: "\(secret):\(use):auth:\(subject)")
    }
}
