import Foundation
import Synchronization

/// The credentials of a queue by protection space. The user is asked once per space for a whole batch.
///
/// While a question is open, the space collects the requests that need the answer. Every credential has a version. A
/// refusal of an outdated version does not count as a failure; the request tries the newest one instead.
final class CredentialCache: Sendable {
    /// The credential that a request sent for a space.
    struct Use: Sendable, Equatable {
        let space: ProtectionSpace
        let version: Int
        /// The Digest nonce; it tells a stale nonce from a wrong credential.
        let nonce: String?
    }

    /// A question for the user. The caller asks it and passes the answer to ``answer(_:in:)``.
    struct Question: Sendable {
        let previousFailureCount: Int
        let rejected: URLCredential?
    }

    /// Called with `true` if there is a credential to try.
    typealias Continuation = @Sendable (Bool) -> Void

    /// A request that waits for the answer to an open question.
    struct Waiter: Sendable {
        let use: Use?
        let then: Continuation
    }

    private struct State {
        var spaces: [ProtectionSpace: Space] = [:]
        /// The latest space of each origin; its credential is sent there preemptively.
        var latest: [ProtectionSpace: ProtectionSpace] = [:]
    }

    private enum Outcome {
        case now(Bool)
        case later(Question?)
    }

    private let state = Guarded(State())
    /// True once any space was created. Every exchange checks it without locking.
    private let hasSpaces = Atomic(false)

    /// Finds a credential for a challenge and calls `then`, now or later. If it returns a question, the caller must ask
    /// it.
    ///
    /// - Parameters:
    ///   - use: what the refused request sent, if anything.
    ///   - mayAsk: whether the caller can ask the user. If not, it does not wait for the answers to others' questions
    ///     either.
    func resolve(
        _ demand: ServerChallenge, in space: ProtectionSpace, after use: Use?, mayAsk: Bool,
        then: @escaping Continuation
    ) -> Question? {
        let use = use?.space == space ? use : nil
        let outcome = state.withLock { state -> Outcome in
            if !mayAsk { return .now(state.spaces[space]?.hasNewerCredential(than: use) == true) }
            var entry = state.spaces[space] ?? Space(demand: demand)
            defer {
                state.spaces[space] = entry
                hasSpaces.store(true, ordering: .releasing)
            }
            switch entry.standing(against: demand, after: use) {
            case .available: return .now(true)
            case .unavailable: return .now(false)
            case .unknown: break
            }
            if !entry.isAsking { entry.demand = demand }
            entry.waiting.append(Waiter(use: use, then: then))
            defer { entry.isAsking = true }
            return .later(
                entry.isAsking
                    ? nil : Question(previousFailureCount: entry.failureCount, rejected: entry.rejected))
        }
        switch outcome {
        case .now(let hasCredential):
            then(hasCredential)
            return nil
        case .later(let question):
            return question
        }
    }

    /// Whether no server or proxy has demanded a credential yet.
    var isEmpty: Bool { !hasSpaces.load(ordering: .acquiring) }

    /// Notes the user's answer (`nil` for no credential) and resumes the requests that wait for it.
    func answer(_ credential: URLCredential?, in space: ProtectionSpace) {
        let usable = credential?.user == nil ? nil : credential
        let outcomes = state.withLock { state -> [(then: Continuation, hasCredential: Bool)] in
            guard var entry = state.spaces[space], entry.isAsking else { return [] }
            let waiting = entry.waiting
            entry.settle(with: usable)
            state.spaces[space] = entry
            if usable != nil { state.latest[space.whole] = space }
            // A request that has sent no credential yet tries the one that other resources of the space accepted.
            return waiting.map { ($0.then, usable != nil || entry.hasNewerCredential(than: $0.use)) }
        }
        for (then, hasCredential) in outcomes { then(hasCredential) }
    }

    /// Notes that the server accepted a credential. Other resources of the space may still refuse it.
    func noteAcceptance(of use: Use) {
        state.withLock { state in
            if state.spaces[use.space]?.version == use.version { state.spaces[use.space]?.noteAcceptance() }
        }
    }

    /// Forgets which spaces have no credential, so that a new batch asks again.
    func forgetRefusals() {
        state.withLock { state in
            for (space, entry) in state.spaces {
                state.spaces[space]?.forgetLastWord()
                if entry.isRefused { state.spaces[space] = nil }
            }
        }
    }

    /// The `Authorization` value to send and the credential it uses; `nil` without a credential.
    ///
    /// - Parameter space: if it has no realm, the latest space of its origin is used.
    func authorization(
        in space: ProtectionSpace, method: String, target: String
    ) -> (value: String, use: Use)? {
        state.withLock { state in
            let space = space.realm == nil ? state.latest[space] : space
            guard let space, let entry = state.spaces[space], let user = entry.credential?.user else { return nil }
            let password = entry.credential?.password ?? ""
            // Mutate in place: each answer counts another use of the nonce.
            let value =
                state.spaces[space]?.digest?.authorization(
                    user: user, password: password, method: method, target: target, clientNonce: .clientNonce)
                ?? .basicAuthorization(user: user, password: password)
            return (value, Use(space: space, version: entry.version, nonce: entry.digest?.challenge.nonce))
        }
    }
}

extension String {
    /// The value of an `Authorization` field (RFC 7617), encoded as UTF-8 even if the server does not ask for it.
    static func basicAuthorization(user: String, password: String) -> String {
        "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }

    /// A string of 16 random hexadecimal digits.
    static var clientNonce: String {
        String(format: "%016lx", UInt64.random(in: .min ... .max))
    }
}
