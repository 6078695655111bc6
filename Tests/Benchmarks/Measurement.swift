import Foundation

/// What one contender needed for one scenario.
struct Measurement: Codable {
    var scenario: String
    var contender: String
    var requestsPerSecond: Double
    var megabytesPerSecond: Double
    var cpuSeconds: Double
    var peakResidentBytes: Int

    /// Measures `body`, which returns how many bytes it has moved.
    static func of(
        scenario: String, contender: Contender, requests: Int, _ body: () async throws -> Int64
    ) async rethrows -> Measurement {
        let start = ContinuousClock.now
        let bytes = try await body()
        let seconds = start.duration(to: .now) / .seconds(1)
        var usage = rusage()
        // Linux counts in KiB, Darwin in bytes.
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            let unit = 1024
        #else
            getrusage(RUSAGE_SELF, &usage)
            let unit = 1
        #endif
        return Measurement(
            scenario: scenario, contender: contender.rawValue, requestsPerSecond: Double(requests) / seconds,
            megabytesPerSecond: Double(bytes) / seconds / 1e6,
            cpuSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds,
            peakResidentBytes: Int(usage.ru_maxrss) * unit)
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    var line: String {
        let columns = [
            contender.padding(toLength: 24, withPad: " ", startingAt: 0),
            Self.format("%10.0f req/s", requestsPerSecond), Self.format("%9.1f MB/s", megabytesPerSecond),
            Self.format("%6.2f s CPU", cpuSeconds), Self.format("%7.1f MB peak", Double(peakResidentBytes) / 1e6),
        ]
        return columns.joined(separator: " ")
    }

    static func format(_ format: String, _ value: Double) -> String {
        String(format: format, value)
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
