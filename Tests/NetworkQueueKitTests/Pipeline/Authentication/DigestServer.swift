import Foundation
import NetworkQueueTesting
import TestSupport

@testable import NetworkQueueKit

/// The server's side of the Digest scheme (MD5, qop=auth) for one realm.
final class DigestServer: Sendable {
    struct Use: Sendable, Equatable {
        let nonce: String
        let count: String
    }

    private struct State {
        var nonce = 1
        var useCount = 0
        var uses: [Use] = []
    }

    private let user: String
    private let password: String
    private let maximumUseCount: Int
    private let isEverStale: Bool
    private let state = Guarded(State())

    /// - Parameters:
    ///   - maximumUseCount: how often a nonce may be used before it is stale.
    ///   - isEverStale: whether every nonce is called stale.
    init(user: String = "u", password: String = "right", maximumUseCount: Int = .max, isEverStale: Bool = false) {
        self.user = user
        self.password = password
        self.maximumUseCount = maximumUseCount
        self.isEverStale = isEverStale
    }

    /// What it has let in.
    var uses: [Use] { state.withLock { $0.uses } }

    func answer(_ exchange: HTTPExchange) -> ScriptedTransport.Answer {
        let fields = exchange.headers["Authorization"].flatMap { ChallengeParser.challenges(in: $0).first }
        guard let fields, fields.scheme == "digest", isRight(fields.parameters, exchange) else {
            return state.withLock { demand($0, isStale: false) }
        }
        return state.withLock { state in
            let nonce = fields.parameters["nonce"] ?? ""
            if isEverStale || nonce != "n\(state.nonce)" || state.useCount >= maximumUseCount {
                if nonce == "n\(state.nonce)" {
                    state.nonce += 1
                    state.useCount = 0
                }
                return demand(state, isStale: true)
            }
            state.useCount += 1
            state.uses.append(Use(nonce: nonce, count: fields.parameters["nc"] ?? ""))
            return .ok("secret")
        }
    }

    private func demand(_ state: State, isStale: Bool) -> ScriptedTransport.Answer {
        let value = "Digest realm=\"r\", nonce=\"n\(state.nonce)\", qop=\"auth\"" + (isStale ? ", stale=true" : "")
        return .status(401, ["WWW-Authenticate": value])
    }

    private func isRight(_ fields: [String: String], _ exchange: HTTPExchange) -> Bool {
        let wire = exchange.url.absoluteString.dropFirst("http://host.test".count)
        guard fields["username"] == user, fields["uri"] == String(wire) else { return false }
        let secret = HashAlgorithm.md5.hexDigest(of: "\(user):r:\(password)")
        let subject = HashAlgorithm.md5.hexDigest(of: "\(exchange.method):\(wire)")
        let use = ["nonce", "nc", "cnonce"].map { fields[$0] ?? "" }.joined(separator: ":")
        return fields["response"] == HashAlgorithm.md5.hexDigest(of: "\(secret):\(use):auth:\(subject)")
    }
}
