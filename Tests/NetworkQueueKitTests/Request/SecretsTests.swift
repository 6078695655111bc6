import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SecretsTests {
    private func request() throws -> NetworkRequest {
        let url = try #require(URL(string: "http://mellon-user:mellon-word@host.test/a?token=kept"))
        var request = NetworkRequest(url)
        request.urlRequest.setValue("Bearer mellon-word", forHTTPHeaderField: "Authorization")
        request.urlRequest.setValue("id=mellon-word", forHTTPHeaderField: "Cookie")
        request.urlRequest.setValue("Basic mellon-word", forHTTPHeaderField: "Proxy-Authorization")
        request.credential = URLCredential(user: "mellon-user", password: "mellon-word", persistence: .none)
        return request
    }

    private func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(describing: value), String(reflecting: value), dumped]
    }

    @Test(arguments: [ScriptedTransport.Answer.fail(.cannotConnectToHost), .status(401), .status(200)])
    func `Credentials never appear in the texts of an error, an operation and a request`(
        answer: ScriptedTransport.Answer
    ) async throws {
        let rig = QueueRig(ScriptedTransport { _ in answer })
        let operation = rig.queue.add(try request())
        let summary = await rig.queue.run()
        var values: [Any] = [operation, operation.request, summary]
        if let error = operation.error {
            values += [error, error.localizedDescription, (error as NSError).description]
        }
        if let head = operation.responseHead { values.append(head) }
        for value in values {
            for text in texts(of: value) { #expect(!text.contains("mellon"), "\(type(of: value)): \(text)") }
        }
        #expect(operation.debugDescription.contains("mellon") == false)
    }

    @Test func `Credentials never appear in the URL of an error, which otherwise tells the host`() async throws {
        let rig = QueueRig(ScriptedTransport { _ in .fail(.timedOut) })
        let operation = rig.queue.add(try request())
        await rig.queue.run()
        let error = try #require(operation.error)
        #expect(error.url?.absoluteString == "http://host.test/a?token=kept")
        #expect(error.description.contains("host.test"))
    }
}
