import NetworkQueueKit

/// `NetworkQueue` from a standing start: its transport is made when it is to run, with no connection yet.
struct FreshQueueRunner: Runner {
    let job: Job
    let isSized: Bool

    func run() async throws -> Work {
        var settings = TransportConfiguration()
        settings.trustedCertificatesFile = job.certificate
        if job.httpVersion == .http1 { settings.httpVersion = .http1 }
        let transport = try Contender.makeCurlTransport(settings)
        return try await NetworkQueueRunner(job: job, transport: transport, isSized: isSized).run()
    }
}
