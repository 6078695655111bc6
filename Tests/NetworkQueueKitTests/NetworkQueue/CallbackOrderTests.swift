import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CallbackOrderTests {
    /// What a server does with a request, and what the delegate hears of it.
    enum Course: String, CaseIterable {
        case success, emptySuccess, rejectedStatus, brokenBeforeHead, brokenInContent, followedRedirects,
            deadEndRedirect
        case forbiddenURL

        var story: [String] {
            switch self {
            case .success: ["start", "head 200", "finish"]
            case .followedRedirects: ["start", "redirect /again", "redirect /success", "head 200", "finish"]
            case .emptySuccess: ["start", "head 204", "finish"]
            case .rejectedStatus: ["start", "head 500", "fail httpStatus(500)"]
            case .brokenBeforeHead: ["start", "fail cannotConnectToHost"]
            case .brokenInContent: ["start", "head 200", "fail connectionLost"]
            case .deadEndRedirect: ["start", "head 302", "fail httpStatus(302)"]
            case .forbiddenURL: ["start", "fail unsupportedScheme"]
            }
        }

        var url: URL { self == .forbiddenURL ? URL(filePath: "/etc/hosts") : .test(rawValue) }

        @Sendable static func answer(_ exchange: HTTPExchange) -> ScriptedTransport.Answer {
            switch exchange.url.path() {
            case "/success": .ok(Data("content".utf8))
            case "/emptySuccess": .status(204)
            case "/rejectedStatus": .respond(status: 500, headers: [:], body: Data("sorry".utf8))
            case "/brokenBeforeHead": .fail(.cannotConnectToHost)
            case "/followedRedirects": .respond(status: 302, headers: ["Location": "/again"], body: Data("moved".utf8))
            case "/again": .status(307, ["Location": "/success"])
            case "/deadEndRedirect": .status(302)
            default: .hold
            }
        }
    }

    private func run(_ course: Course, isSynchronous: Bool) async -> (QueueRig<NetworkQueue>, RequestOperation) {
        let rig = QueueRig(ScriptedTransport(isSynchronous: isSynchronous, script: Course.answer))
        let operation = rig.queue.add(course.url)
        rig.queue.go()
        if course == .brokenInContent {
            let exchange = await rig.transport.exchange(0)
            exchange.receive(headers: ["Content-Length": "9"])
            exchange.receive(Data("part".utf8))
            exchange.end(.networkConnectionLost)
        }
        await rig.recorder.waitForDrain()
        return (rig, operation)
    }

    @Test(arguments: Course.allCases, [false, true])
    func `An operation's callbacks come in order: one start, one head at most, one end`(
        course: Course, isSynchronous: Bool
    ) async {
        let (rig, operation) = await run(course, isSynchronous: isSynchronous)
        #expect(rig.recorder.story(of: operation) == course.story)
        #expect(!rig.recorder.hasOverlapped)
    }

    @Test func `The head of a redirected operation is that of the final response, with the final URL`() async {
        let (rig, operation) = await run(.followedRedirects, isSynchronous: false)
        #expect(rig.transport.exchanges.map(\.path) == ["/followedRedirects", "/again", "/success"])
        #expect(operation.responseHead?.url == .test("success"))
        #expect(operation.metrics?.redirectCount == 2)
    }

    @Test func `An operation that is canceled before it starts is told by didFail alone`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let beforeGo = rig.queue.add(.test("a"))
        rig.queue.cancel(beforeGo)
        let beforeAdd = RequestOperation(NetworkRequest(.test("b")))
        beforeAdd.cancel()
        rig.queue.add(beforeAdd)
        await rig.queue.run()
        let late = RequestOperation(NetworkRequest(.test("c")))
        late.cancel()
        rig.queue.add(late)
        await rig.recorder.waitForDrain(2)
        for operation in [beforeGo, beforeAdd, late] {
            #expect(rig.recorder.story(of: operation) == ["fail cancelled"])
            #expect(operation.error?.underlying as? URLError == URLError(.cancelled))
        }
        #expect(rig.transport.exchanges.isEmpty)
    }

    @Test(arguments: [false, true])
    func `An operation that is canceled while it runs fails after the callbacks that it got`(hasHead: Bool) async {
        let rig = QueueRig()
        let operation = rig.queue.add(.test("a"))
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        if hasHead { exchange.receive(headers: ["Content-Length": "5"]) }
        rig.queue.cancel(operation)
        rig.queue.cancel(operation)
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.story(of: operation) == ["start"] + (hasHead ? ["head 200"] : []) + ["fail cancelled"])
    }
}
