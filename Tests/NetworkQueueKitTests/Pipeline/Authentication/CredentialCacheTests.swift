import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// The credentials of a queue: who is asked, who waits, and what is sent.
struct CredentialCacheTests {
    private let authenticator = CredentialCache()
    private let space: ProtectionSpace
    private let challenge: ServerChallenge
    private let answers = Gathering<String>()

    init() throws {
        space = ProtectionSpace(origin: Origin(.test("a")), owner: nil, realm: "r")
        let head = ResponseHead(
            statusCode: 401, headers: ["WWW-Authenticate": "Basic realm=\"r\""], url: .test("a"))
        challenge = try #require(try ServerChallenge.strongest(in: head, isProxy: false))
    }

    /// What a request sends for the space.
    private var sent: (value: String, use: CredentialCache.Use)? {
        authenticator.authorization(in: space.whole, method: "GET", target: "/a")
    }

    @discardableResult
    private func resolve(_ name: String, after use: CredentialCache.Use? = nil, mayAsk: Bool = true)
        -> CredentialCache.Question?
    {
        authenticator.resolve(challenge, in: space, after: use, mayAsk: mayAsk) { [answers] hasCredential in
            answers.add("\(name) \(hasCredential)")
        }
    }

    @Test func `The first request asks, and all that come before the answer wait for it`() {
        #expect(authenticator.isEmpty && resolve("1") != nil)
        #expect(resolve("2") == nil && resolve("3") == nil && answers.values.isEmpty && !authenticator.isEmpty)
        authenticator.answer(.user("p"), in: space)
        #expect(answers.values == ["1 true", "2 true", "3 true"] && sent?.value == .basic("p"))
        #expect(resolve("4") == nil && answers.values.last == "4 true")
    }

    @Test func `A nil answer holds for all requests until it is forgotten`() {
        resolve("1")
        resolve("2")
        authenticator.answer(nil, in: space)
        #expect(resolve("3") == nil && answers.values == ["1 false", "2 false", "3 false"] && sent == nil)
        authenticator.forgetRefusals()
        #expect(resolve("4")?.previousFailureCount == 0)
    }

    @Test func `A refused credential is asked for again, once, with the number of failures`() throws {
        resolve("1")
        authenticator.answer(.user("wrong"), in: space)
        let use = try #require(sent?.use)
        let question = resolve("2", after: use)
        #expect(question?.previousFailureCount == 1 && question?.rejected?.password == "wrong")
        #expect(resolve("3", after: use) == nil && sent == nil)
        authenticator.answer(.user("right"), in: space)
        #expect(answers.values == ["1 true", "2 true", "3 true"] && sent?.value == .basic("right"))
    }

    @Test func `The refusal of an older credential is not a failure of the newest`() throws {
        resolve("1")
        authenticator.answer(.user("old"), in: space)
        let old = try #require(sent?.use)
        resolve("2", after: old)
        authenticator.answer(.user("new"), in: space)
        #expect(resolve("3", after: old) == nil && answers.values.last == "3 true")
        #expect(sent?.value == .basic("new"))
    }

    @Test func `A request that cannot ask uses the known credential and does not wait`() throws {
        #expect(resolve("1", mayAsk: false) == nil && answers.values == ["1 false"])
        resolve("2")
        #expect(resolve("3", mayAsk: false) == nil && answers.values == ["1 false", "3 false"])
        authenticator.answer(.user("p"), in: space)
        #expect(resolve("4", mayAsk: false) == nil && answers.values.last == "4 true")
        #expect(resolve("5", after: try #require(sent?.use), mayAsk: false) == nil)
        #expect(answers.values.last == "5 false")
    }

    @Test func `A credential that part of a space accepts stays if none is given for the rest`() throws {
        resolve("1")
        authenticator.answer(.user("p"), in: space)
        let use = try #require(sent?.use)
        authenticator.noteAcceptance(of: use)
        #expect(resolve("2", after: use) != nil)
        authenticator.answer(nil, in: space)
        #expect(answers.values == ["1 true", "2 false"] && sent?.value == .basic("p"))
        // It is not asked for again in this batch.
        #expect(resolve("3", after: try #require(sent?.use)) == nil && answers.values.last == "3 false")
    }

    @Test func `Answers after the first count for nothing, and so does one without a question`() {
        authenticator.answer(.user("early"), in: space)
        #expect(authenticator.isEmpty && sent == nil)
        resolve("1")
        authenticator.answer(.user("first"), in: space)
        authenticator.answer(.user("second"), in: space)
        authenticator.answer(nil, in: space)
        #expect(answers.values == ["1 true"] && sent?.value == .basic("first"))
    }

    @Test func `Realms, origins, owners and the proxy are kept apart`() throws {
        resolve("1")
        authenticator.answer(.user("p"), in: space)
        let others = [
            ProtectionSpace(origin: space.origin, owner: "u:p", realm: nil),
            ProtectionSpace(origin: Origin(try #require(URL(string: "http://other.test/"))), owner: nil, realm: nil),
            ProtectionSpace(origin: nil, owner: nil, realm: nil),
        ]
        for other in others {
            #expect(authenticator.authorization(in: other, method: "GET", target: "/") == nil, "\(other)")
        }
        let realm = ProtectionSpace(origin: space.origin, owner: nil, realm: "other")
        #expect(authenticator.resolve(challenge, in: realm, after: nil, mayAsk: true) { _ in } != nil)
    }
}
