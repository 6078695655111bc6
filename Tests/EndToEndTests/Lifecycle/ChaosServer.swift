import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport

/// A server that spoils three answers in ten, in one of the ways in which networks and servers do that.
struct ChaosServer {
    /// The ways.
    enum Fault: CaseIterable {
        case hangUp, reset, closeInContent, unavailable, silence, stallInContent
    }

    let server: LoopbackServer
    /// How often which fault has been made.
    let faults = Guarded<[Fault: Int]>([:])

    /// Serves `contents` under their numbers.
    init(seed: UInt64, contents: [GeneratedContent], faults kinds: [Fault]) throws {
        server = try LoopbackServer(recordsRequests: false)
        let random = Guarded(SplitMix64(seed: seed))
        let faults = faults
        server.serve("/*") { request in
            guard let number = Int(request.path.dropFirst()) else { return .status(404) }
            let content = contents[number]
            let answer = ScriptedResponse.generated(size: content.size, seed: content.seed)
                .acceptingRanges(etag: "\"\(number)\"")
            let (isSpoilt, kind, offset) = random.withLock { random in
                (
                    Int.random(in: 0..<100, using: &random) < 30, Int.random(in: 0..<1000, using: &random),
                    Int64.random(in: 0...content.size, using: &random)
                )
            }
            guard isSpoilt else { return answer }
            // A silence costs the client its whole patience: one fault in fifty.
            let isSilence = kind < 20
            let choices = kinds.filter { ($0 == .silence || $0 == .stallInContent) == isSilence }
            let fault = choices[kind % choices.count]
            faults.withLock { $0[fault, default: 0] += 1 }
            switch fault {
            case .hangUp: return .hangUp
            case .reset: return answer.dropping(after: min(offset, max(content.size - 1, 0)), .reset)
            case .closeInContent: return answer.dropping(after: min(offset, max(content.size - 1, 0)))
            case .unavailable: return .text("later", status: 503).header("Retry-After", "1")
            case .silence: return .silence
            case .stallInContent: return answer.stalling(after: min(offset, max(content.size - 1, 0)))
            }
        }
    }
}
