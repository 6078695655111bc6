import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ServerAsProxyTests {
    @Test(arguments: TransportKind.allCases)
    func `A server that pretends to be a proxy gets no credentials, and the delegate is not asked`(kind: TransportKind)
        async throws
    {
        let rig = try LiveRig(kind)
        rig.server.serve(
            "/", .text("name?", status: 407).header("Proxy-Authenticate", "Basic realm=\"proxy\""))
        let recorder = DelegateRecorder(credential: { _ in URLCredential.test("user", "word") })
        rig.queue.delegate = recorder
        var request = NetworkRequest(rig.server.url)
        request.credential = .test("own", "secret")
        let operation = await rig.run(request)
        #expect(operation.error?.code == .httpStatus(407) && operation.error?.response?.data == Data("name?".utf8))
        #expect(recorder.story(of: operation) == ["start", "head 407", "fail httpStatus(407)"])
        #expect(rig.server.requests.count == 1)
        #expect(rig.server.requests.allSatisfy { $0.headers["Proxy-Authorization"] == nil })
    }
}
