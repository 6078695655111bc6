import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport

/// Gives out fresh URLs, and writes down what it was asked.
final class FreshLinks: Sendable {
    /// What the closure was given.
    let calls = Gathering<(expired: URL, error: NetworkError)>()
    private let answer: @Sendable (_ number: Int) async throws -> URL?

    /// - Parameter answer: what the call with this number returns, from 1 on. Default: `/fresh1`, `/fresh2`, ….
    init(_ answer: @escaping @Sendable (_ number: Int) async throws -> URL? = { .test("fresh\($0)") }) {
        self.answer = answer
    }

    /// Always gives out the same URL.
    convenience init(url: URL) {
        self.init { _ in url }
    }

    var expired: [URL] { calls.values.map(\.expired) }

    /// The value for ``NetworkRequest/freshURL``.
    var closure: @Sendable (URL, NetworkError) async throws -> URL? {
        { expired, error in
            self.calls.add((expired, error))
            return try await self.answer(self.calls.values.count)
        }
    }

    /// A GET for `/old`, with changes.
    func request(_ change: (inout NetworkRequest) -> Void = { _ in }) -> NetworkRequest {
        .test("old") { request in
            request.freshURL = closure
            change(&request)
        }
    }
}

extension ScriptedTransport {
    /// A server that refuses `/old` and has the content at every other path.
    static func refusingOld(_ status: Int = 403) -> ScriptedTransport {
        ScriptedTransport { $0.path == "/old" ? .text("expired", status: status) : .ok("content") }
    }

    /// The paths of all exchanges so far.
    var paths: [String] { exchanges.map(\.path) }
}
