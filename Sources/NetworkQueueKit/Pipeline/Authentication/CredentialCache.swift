import Foundation
import Synchronization

/// The credentials of a queue, by protection space, so that a whole batch is asked once for each.
///
/// A space whose question is open collects the requests that need the answer. Every credential gets a version: a
/// refusal of an older one than the newest is not a failure, and the newest is tried.
final class CredentialCache: Sendable {
    /// What a request has sent for a space.
    struct Use: Sendable, Equatable {
        let space: ProtectionSpace
        let version: Int
        /// Of Digest; tells a nonce that has grown stale from a credential that is wrong.
        let nonce: String?
    }

    /// A question that the caller has to put to the user, and ``answer(_:in:)`` afterwards.
    struct Question: Sendable {
        let previousFailureCount: Int
        let rejected: URLCredential?
    }

    /// Called with whether there is a credential to try.
    typealias Continuation = @Sendable (Bool) -> Void

    /// A request that needs the answer to a question that is open.
    struct Waiter: Sendable {
        let use: Use?
        let then: Continuation
    }

    private struct State {
        var spaces: [ProtectionSpace: Space] = [:]
        /// The latest space of an origin: what is sent there without having been asked for.
        var latest: [ProtectionSpace: ProtectionSpace] = [:]
    }

    private enum Outcome {
        case now(Bool)
        case later(Question?)
    }

    private let state = Guarded(State())
    /// Whether there has ever been a space; every exchange looks at it.
    private let hasSpaces = Atomic(false)

    /// Finds a credential for a demand. `then` is called, now or later; when a question is returned, the caller asks
    /// it.
    ///
    /// - Parameters:
    ///   - use: what the request that was refused had sent, if anything.
    ///   - mayAsk: whether the caller can ask the user. One that cannot does not wait for others' answers either.
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

    /// Whether no credential was ever asked for.
    var isEmpty: Bool { !hasSpaces.load(ordering: .acquiring) }

    /// Notes the user's answer, `nil` for no credential, and lets the requests go on that wait for it.
    func answer(_ credential: URLCredential?, in space: ProtectionSpace) {
        let usable = credential?.user == nil ? nil : credential
        let outcomes = state.withLock { state -> [(then: Continuation, hasCredential: Bool)] in
            guard var entry = state.spaces[space], entry.isAsking else { return [] }
            let waiting = entry.waiting
            entry.settle(with: usable)
            state.spaces[space] = entry
            if usable != nil { state.latest[space.whole] = space }
            // A request that has sent nothing yet tries the credential that was accepted in another space.
            return waiting.map { ($0.then, usable != nil || entry.hasNewerCredential(than: $0.use)) }
        }
        for (then, hasCredential) in outcomes { then(hasCredential) }
    }

    /// Notes that the credential was accepted; other resources of the space may still refuse it.
    func noteAcceptance(of use: Use) {
        state.withLock { state in
            if state.spaces[use.space]?.version == use.version { state.spaces[use.space]?.noteAcceptance() }
        }
    }

    /// Forgets that there was no credential, so that a new batch may be asked.
    func forgetRefusals() {
        state.withLock { state in
            for (space, entry) in state.spaces {
                state.spaces[space]?.forgetLastWord()
                if entry.isRefused { state.spaces[space] = nil }
            }
        }
    }

    /// The field to send, and what it uses; `nil` when there is no credential.
    ///
    /// - Parameter space: without a realm, the latest of its origin.
    func authorization(
        in space: ProtectionSpace, method: String, target: String
    ) -> (value: String, use: Use)? {
        state.withLock { state in
            let space = space.realm == nil ? state.latest[space] : space
            guard let space, let entry = state.spaces[space], let user = entry.credential?.user else { return nil }
            let password = entry.credential?.password ?? ""
            // In place: each answer counts the uses of the nonce.
            let value =
                state.spaces[space]?.digest?.authorization(
                    user: user, password: password, method: method, target: target, clientNonce: .clientNonce)
                ?? .basicAuthorization(user: user, password: password)
            return (value, Use(space: space, version: entry.version, nonce: entry.digest?.challenge.nonce))
        }
    }
}

extension String {
    /// The value of an `Authorization` field (RFC 7617). In UTF-8, which servers that say nothing else expect today.
    static func basicAuthorization(user: String, password: String) -> String {
        "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }

    /// 16 random hexadecimal digits.
    static var clientNonce: String {
        String(format: "%016lx", UInt64.random(in: .min ... .max))
    }
}
