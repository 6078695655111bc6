import NetworkQueueKit

/// The program or library that does the work.
enum Contender: String, CaseIterable, Codable {
    /// `NetworkQueue` over libcurl, with a delegate and progress.
    case networkQueueCurl = "networkqueue-curl"
    /// The same with a HEAD for each request first; every request has a URL of its own.
    case networkQueueCurlSized = "networkqueue-curl-sized"
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

    /// Whether it can run on this machine.
    var isInstalled: Bool {
        switch self {
        case .curlProgram, .aria: ChildProcess.find(rawValue) != nil
        default: true
        }
    }

    /// Sets everything up for `job` that is not to be measured.
    func makeRunner(_ job: Job) throws -> any Runner {
        switch self {
        case .networkQueueCurl: NetworkQueueRunner(job: job, transport: try Self.makeCurlTransport())
        case .networkQueueCurlSized:
            NetworkQueueRunner(job: job, transport: try Self.makeCurlTransport(), isSized: true)
        case .networkQueueURLSession: NetworkQueueRunner(job: job, transport: URLSessionTransport())
        case .requestQueueCurl: RequestQueueRunner(job: job, transport: try Self.makeCurlTransport())
        case .urlSession: URLSessionRunner(job: job)
        case .curlLoop: CurlLoopRunner(job)
        case .curlProgram: try ProgramRunner.curl(job)
        case .aria: try ProgramRunner.aria(job)
        }
    }

    static func makeCurlTransport(_ configuration: TransportConfiguration = .init()) throws -> any Transport {
        #if canImport(Glibc)
            if let transport = CurlTransport(configuration: configuration) { return transport }
        #endif
        throw BenchmarkFailure("libcurl cannot be loaded")
    }
}
