import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SecretsOverTheWireTests {
    @Test(arguments: TransportKind.allCases, ["/401", "/cut", "/refused", "/ok"])
    func `Credentials of a URL go to the server as Basic, and into no text`(kind: TransportKind, path: String)
        async throws
    {
        let rig = try LiveRig(kind)
        rig.server.serve("/401", .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""]))
        rig.server.serve("/cut", .generated(size: 100).dropping(after: 10))
        rig.server.serve("/ok", .text("ok"))
        let closed = try ClosedPort()
        let url = try path == "/refused" ? closed.url(path) : rig.server.url(path)
        var components = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
        components.user = "mellon-user"
        components.password = "mellon-word"
        let operation = await rig.run(NetworkRequest(try #require(components.url)))
        #expect((path == "/ok") == (operation.error == nil))
        let basic = Data("mellon-user:mellon-word".utf8).base64EncodedString()
        #expect(rig.server.requests.allSatisfy { $0.headers["Authorization"] == "Basic \(basic)" })
        #expect(
            rig.server.requests.allSatisfy {
                !$0.target.contains("mellon") && $0.headers["Host"]?.contains("@") == false
            })
        var values: [Any] = [operation, operation.request]
        if let error = operation.error {
            values += [error, error.localizedDescription, error.underlying as Any]
            values += [(error.underlying as? URLError).map { ($0 as NSError).userInfo } as Any]
        }
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.contains("mellon") && !text.contains(basic), "\(text)")
            }
        }
    }
}
