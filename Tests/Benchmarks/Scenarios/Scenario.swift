/// A measurement that needs a server.
enum Scenario: String, CaseIterable, Codable {
    /// 10,000 files of 1 KiB, discarded.
    case small
    /// 4 files of 256 MiB, into files.
    case largeFile = "large-file"
    /// 100,000 files of 1 KiB to memory, released as they finish.
    case memory

    var contenders: [Contender] {
        switch self {
        case .small: Contender.allCases
        case .largeFile: Contender.allCases.filter { $0 != .networkQueueCurlSized }
        case .memory: [.networkQueueCurl]
        }
    }

    var requests: Int {
        switch self {
        case .small: 10_000
        case .largeFile: 4
        case .memory: 100_000
        }
    }

    /// The file that `run` lets its server serve for it.
    var serverPath: String { self == .largeFile ? "256m" : "1k" }
}
