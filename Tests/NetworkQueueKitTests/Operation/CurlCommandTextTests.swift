import Foundation
import NetworkQueueKit
import TestSupport
import Testing

/// The text of `curlCommand()`. That it does what it says is tested over the wire.
struct CurlCommandTextTests {
    @Test func `curlCommand() reads like a command that a person writes`() throws {
        #expect(RequestOperation(NetworkRequest(.test("a"))).curlCommand() == "curl 'http://host.test/a'")
        var request = NetworkRequest(.test("a"), headers: ["X-A": "it's"], body: try .json(["a": 1]))
        request.destination = .file(URL(filePath: "/tmp/b c"))
        #expect(
            RequestOperation(request).curlCommand()
                == #"curl -X POST -H 'X-A: it'\''s' -H 'Content-Type: application/json' -H Expect: --data-binary '{"a":1}' "#
                + "--create-dirs -o '/tmp/b c' 'http://host.test/a'")
    }

    @Test(arguments: OddName.joining)
    func `curlCommand() quotes an apostrophe, and content with an at sign, before whatever follows`(text: String) {
        let request = NetworkRequest(.test("a"), headers: ["X-A": "'\(text)"], body: .data(Data("@\(text)".utf8)))
        let command = RequestOperation(request).curlCommand()
        #expect(command.utf8.split(separator: UInt8(ascii: "'")).count.isMultiple(of: 2), "\(command)")
        #expect(command.utf8.contains { $0 == UInt8(ascii: "\\") } && command.contains("--data-raw"), "\(command)")
    }

    private func planted() throws -> RequestOperation {
        let url = try #require(URL(string: "http://\(PlantedSecret.userInformation[0])@host.test/a"))
        var request = NetworkRequest(url)
        request.headers = [
            "Authorization": PlantedSecret.basic, "Proxy-Authorization": PlantedSecret.basic,
            "Cookie": "id=\(PlantedSecret.word)", "X-Api-Key": PlantedSecret.word,
            "Referer": "http://\(PlantedSecret.userInformation[0])@other.test/",
        ]
        request.credential = URLCredential(
            user: PlantedSecret.user, password: PlantedSecret.word, persistence: .none)
        return RequestOperation(request)
    }

    @Test func `curlCommand() has no secret unless it is asked for, and says where one is missing`() throws {
        let command = try planted().curlCommand()
        #expect(!PlantedSecret.isIn(command), "\(command)")
        for name in ["Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key"] {
            #expect(command.contains("-H '\(name): <hidden>'"), "\(command)")
        }
        #expect(command.hasSuffix("'http://host.test/a'") && !command.contains(" -u "))
    }

    @Test func `curlCommand(includingCredentials:) has every secret, the credential as -u`() throws {
        let command = try planted().curlCommand(includingCredentials: true)
        #expect(command.contains("-H 'Authorization: \(PlantedSecret.basic)'"))
        #expect(command.contains("-H 'Cookie: id=\(PlantedSecret.word)'"))
        var request = NetworkRequest(.test("a"))
        request.credential = URLCredential(user: "me", password: "", persistence: .none)
        #expect(RequestOperation(request).curlCommand(includingCredentials: true) == "curl -u me: 'http://host.test/a'")
        request.sendsCredentialUnasked = false
        #expect(
            RequestOperation(request).curlCommand(includingCredentials: true)
                == "curl --anyauth -u me: 'http://host.test/a'")
        let url = try #require(URL(string: "http://m%40e:w'd@host.test/a"))
        #expect(
            RequestOperation(NetworkRequest(url)).curlCommand(includingCredentials: true)
                == #"curl -u 'm@e:w'\''d' 'http://host.test/a'"#)
    }

    @Test func `curlCommand() has one field for each of the request's, whatever its value`() {
        let request = NetworkRequest(.test("a"), headers: ["X-A": "a\r\nX-Injected: b", "X-B": "c"])
        let command = RequestOperation(request).curlCommand()
        #expect(command.contains("-H 'X-B: c'") && !command.contains(where: \.isNewline), "\(command)")
    }
}
