import NetworkQueueKit

/// The program or library that does the work.
enum Contender: String, CaseIterable, Codable {
    /// `NetworkQueue` over libcurl, with a delegate and progress.
    case networkQueueCurl = "networkqueue-curl"
    /// The same without a delegate.
    case networkQueueCurlSilent = "networkqueue-curl-silent"
    /// The same without asking for sizes, where the scenario asks for them.
    case networkQueueCurlUnsized = "networkqueue-curl-unsized"
    /// `RequestQueue` over libcurl, with a completion handler for each request.
    case requestQueueCurl = "requestqueue-curl"
    /// `NetworkQueue` over `URLSession`, with a delegate and progress.
    case networkQueueURLSession = "networkqueue-urlsession"
    /// `URLSession` tasks with nothing around them.
    case urlSession = "urlsession"
    /// The shortest loop over libcurl in C: the limit.
    case curlLoop = "c-loop"
    /// The program `curl`, with `--parallel`.
    case curlProgram = "curl"
    /// The program `aria2c`, which always writes files.
    case aria = "aria2c"

    /// Those that differ in the client, not in what is asked of it.
    static let clients: [Contender] = [
        .networkQueueCurl, .requestQueueCurl, .networkQueueURLSession, .urlSession, .curlLoop, .curlProgram, .aria,
    ]

    /// Whether it can run on this machine.
    var isInstalled: Bool {
        switch self {
        case .curlProgram: CurlProgramRunner.isInstalled
        case .aria: AriaRunner.isInstalled
        default: true
        }
    }

    /// Whether this one's queue sends the HEADs of a scenario that wants sizes.
    var sizesByItself: Bool {
        self == .networkQueueCurl || self == .networkQueueURLSession || self == .networkQueueCurlUnsized
    }

    /// Sets everything up for `job` that is not to be measured.
    func makeRunner(_ job: Job) throws -> any Runner {
        switch self {
        case .networkQueueCurl:
            try NetworkQueueRunner(job, transport: Self.makeCurlTransport())
        case .networkQueueCurlSilent:
            try NetworkQueueRunner(job, transport: Self.makeCurlTransport(), hasDelegate: false)
        case .networkQueueCurlUnsized:
            try NetworkQueueRunner(job.unsized, transport: Self.makeCurlTransport())
        case .networkQueueURLSession:
            NetworkQueueRunner(job, transport: URLSessionTransport())
        case .requestQueueCurl: try RequestQueueRunner(job, transport: Self.makeCurlTransport())
        case .urlSession: try URLSessionRunner(job)
        case .curlLoop: CurlLoopRunner(job)
        case .curlProgram: try CurlProgramRunner(job)
        case .aria: try AriaRunner(job)
        }
    }

    static func makeCurlTransport() throws -> any Transport {
        #if canImport(Glibc)
            if let transport = CurlTransport() { return transport }
        #endif
        throw BenchmarkFailure("libcurl cannot be loaded")
    }
}
