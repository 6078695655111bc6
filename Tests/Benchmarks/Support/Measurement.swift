import Foundation

/// What one contender needed for one scenario.
struct Measurement: Codable, Sendable {
    var scenario: String
    var contender: String
    var requestsPerSecond: Double
    var megabytesPerSecond: Double
    var cpuSeconds: Double
    var peakResidentBytes: Int
    /// Resident memory after the first ten thousand requests and after the last, where the scenario asks for them.
    var earlyResidentBytes: Int?
    var finalResidentBytes: Int?
    /// Heap memory of one request that waits, beyond its `URLRequest`, if the scenario measures it.
    var waitingRequestBytes: Int?

    /// Measures `body`.
    static func of(
        scenario: String, contender: String, requests: Int, _ body: () async throws -> Work
    ) async rethrows -> Measurement {
        let before = ResourceUsage.current.cpuSeconds
        let start = ContinuousClock.now
        let work = try await body()
        let seconds = start.duration(to: .now) / .seconds(1)
        var own = ResourceUsage.current
        own.cpuSeconds -= before
        let usage = work.usage ?? own
        return Measurement(
            scenario: scenario, contender: contender, requestsPerSecond: Double(requests) / seconds,
            megabytesPerSecond: Double(work.bytes) / seconds / 1e6, cpuSeconds: usage.cpuSeconds,
            peakResidentBytes: usage.peakResidentBytes)
    }

    var line: String {
        var columns = [
            contender.padded(to: 26),
            format("%10.0f req/s", requestsPerSecond), format("%9.1f MB/s", megabytesPerSecond),
            format("%7.2f s CPU", cpuSeconds), format("%8.1f MB peak", Double(peakResidentBytes) / 1e6),
        ]
        if let earlyResidentBytes, let finalResidentBytes {
            columns.append(format("  %.1f MB after 10,000,", Double(earlyResidentBytes) / 1e6))
            columns.append(format("%.1f MB at the end", Double(finalResidentBytes) / 1e6))
        }
        if let waitingRequestBytes { columns.append("  \(waitingRequestBytes) bytes for each that waits") }
        return columns.joined(separator: " ")
    }
}
