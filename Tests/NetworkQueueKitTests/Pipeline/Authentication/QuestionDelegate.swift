import Foundation

import TestSupport

@testable import NetworkQueueKit

/// A delegate that keeps the challenges for the test to answer.
final class QuestionDelegate: NetworkQueueDelegate, Sendable {
    struct Question: Sendable {
        let challenge: AuthenticationChallenge
        let operation: RequestOperation
        let answer: @Sendable (URLCredential?) -> Void
    }

    let questions = Gathering<Question>()
    /// Such as `/a 200` and `/b 401`.
    let heads = Gathering<String>()
    /// Such as `/a ok` and `/b cancelled`.
    let ends = Gathering<String>()
    let drains = Gathering<NetworkQueue.Summary>()

    func networkQueue(
        _ queue: NetworkQueue, didReceive challenge: AuthenticationChallenge, for operation: RequestOperation,
        answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        questions.add(Question(challenge: challenge, operation: operation, answer: answer))
    }

    func networkQueue(_ queue: NetworkQueue, didReceiveHeaders head: ResponseHead, for operation: RequestOperation) {
        heads.add("\(operation.path) \(head.statusCode)")
    }

    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        ends.add("\(operation.path) ok")
    }

    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        ends.add("\(operation.path) \(error.code)")
    }

    func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) {
        drains.add(summary)
    }
}

extension URLCredential {
    /// `u` with a password.
    static func user(_ password: String) -> URLCredential {
        URLCredential(user: "u", password: password, persistence: .none)
    }
}

extension String {
    /// What the Basic scheme sends for ``URLCredential/user(_:)``.
    static func basic(_ password: String) -> String { .basicAuthorization(user: "u", password: password) }
}
