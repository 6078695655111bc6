import Foundation
import NetworkQueueKit

/// Who downloads over a long line or over TLS.
///
/// The library is measured inside its process from before its transport is made; a program is measured with its start.
enum LineContender: String, CaseIterable, Codable {
    /// `NetworkQueue` that asks for sizes, as wide as it transfers.
    case sized = "ours-sized"
    /// The same with another width for asking, `--checkers`.
    case sizedByCheckers = "ours-sized-checkers"
    case unsized = "ours-unsized"
    case curl
    case aria = "aria2c"
    case wget = "wget2"
    case curlLoop = "c-loop"

    var isInstalled: Bool {
        switch self {
        case .curl: CurlProgramRunner.isInstalled
        case .aria: AriaRunner.isInstalled
        case .wget: WgetRunner.isInstalled
        case .sized, .sizedByCheckers, .unsized, .curlLoop: true
        }
    }

    func canSpeak(_ version: LineProtocol) -> Bool { self != .aria || version != .http2 }

    func makeRunner(_ job: Job, checkers: Int?) throws -> any Runner {
        switch self {
        case .sized: return FreshQueueRunner(job: job, isSized: true)
        case .sizedByCheckers: return FreshQueueRunner(job: job, isSized: true, checkers: checkers)
        case .unsized: return FreshQueueRunner(job: job, isSized: false)
        case .curl: return try CurlProgramRunner(job)
        case .aria: return try AriaRunner(job)
        case .wget: return try WgetRunner(job)
        case .curlLoop: return CurlLoopRunner(job)
        }
    }
}
