/// What is measured.
enum Scenario: String, CaseIterable, Codable {
    /// 10,000 files of 1 KiB, thrown away.
    case small
    /// 2,000 files of 64 KiB, thrown away.
    case medium
    /// 4 files of 256 MiB, thrown away.
    case largeDiscard = "large-discard"
    /// 4 files of 256 MiB, into files.
    case largeFile = "large-file"
    /// 4 files of 256 MiB, sent with PUT.
    case upload
    /// 10,000 HEADs, then as many GETs; every request has a URL of its own.
    case sizing
    /// 10,000 files of 1 KiB, with a delegate and progress and without.
    case progress
    /// 100,000 files of 1 KiB to memory, let go as they finish.
    case memory
    /// No network: what the queue itself costs.
    case queue
    /// No network: what looking for duplicates costs.
    case duplicate
    /// What a queue costs that does nothing.
    case idle

    var contenders: [Contender] {
        switch self {
        case .small, .medium, .largeDiscard, .largeFile: Contender.clients
        case .upload: Contender.clients.filter { $0 != .aria }
        case .sizing: Contender.clients + [.networkQueueCurlUnsized]
        case .progress: [.networkQueueCurl, .networkQueueCurlSilent]
        case .memory: [.networkQueueCurl]
        case .queue, .duplicate, .idle: []
        }
    }

    var requests: Int {
        switch self {
        case .small, .sizing, .progress: 10_000
        case .medium: 2_000
        case .largeDiscard, .largeFile, .upload: 4
        case .memory: 100_000
        case .queue, .duplicate, .idle: 0
        }
    }

    /// Whether it needs a server.
    var isTransfer: Bool { !contenders.isEmpty }

    /// Where `run` has put the file that it fetches, or the folder that takes what is sent.
    var serverPath: String {
        switch self {
        case .small, .sizing, .progress, .memory: "1k"
        case .medium: "64k"
        case .largeDiscard, .largeFile: "256m"
        case .upload: "put"
        case .queue, .duplicate, .idle: ""
        }
    }
}
