import Foundation
import NetworkQueueKit

/// Who downloads over a long line.
///
/// The library is measured inside its process from before its transport is made; a program is measured with its start.
enum LineContender: String, CaseIterable, Codable {
    /// `NetworkQueue` that requests sizes first.
    case sized = "ours-sized"
    case unsized = "ours-unsized"
    case curl
    case aria = "aria2c"
    case wget = "wget2"

    var isInstalled: Bool {
        switch self {
        case .curl, .aria, .wget: ChildProcess.find(rawValue) != nil
        case .sized, .unsized: true
        }
    }

    func canSpeak(_ version: LineProtocol) -> Bool { self != .aria || version != .http2 }

    func makeRunner(_ job: Job) throws -> any Runner {
        switch self {
        case .sized: return FreshQueueRunner(job: job, isSized: true)
        case .unsized: return FreshQueueRunner(job: job, isSized: false)
        case .curl: return try ProgramRunner.curl(job)
        case .aria: return try ProgramRunner.aria(job)
        case .wget: return try ProgramRunner.wget(job)
        }
    }
}
