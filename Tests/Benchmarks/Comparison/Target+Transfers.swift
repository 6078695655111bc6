extension Target {
    /// What is wanted of one scenario with a server.
    static func transfers(_ standing: Standing, _ scenario: Scenario, concurrency: Int) -> [Target] {
        switch scenario {
        case .small:
            guard concurrency == 4 || concurrency == 16 else { return [] }
            return [
                speed(standing, .curlLoop, 0.75), speed(standing, .urlSession, 10), speed(standing, .curlProgram, 1.4),
            ]
        case .largeFile: return [speed(standing, .curlLoop, 0.9), memory(standing)]
        case .memory: return [growth(standing)]
        }
    }

    private static func speed(_ standing: Standing, _ other: Contender, _ limit: Double) -> Target {
        Target(
            "\(standing.label): NetworkQueue/curl against \(other.rawValue)",
            standing.ratio(.networkQueueCurl, to: other), .atLeast(limit), "x")
    }

    private static func memory(_ standing: Standing) -> Target {
        let peak = standing.median(.networkQueueCurl)?.peakResidentBytes
        return Target(
            // In the unit in which systems tell it.
            "\(standing.label): NetworkQueue/curl, peak resident memory", peak.map { Double($0) / 1_048_576 },
            .atMost(32), "MiB")
    }

    /// Flat means no growth; what waits at the mark is gone at the end, so that there is room for less.
    private static func growth(_ standing: Standing) -> Target {
        let median = standing.median(.networkQueueCurl)
        var ratio: Double?
        if let early = median?.earlyResidentBytes, let final = median?.finalResidentBytes {
            ratio = Double(final) / Double(early)
        }
        return Target("memory: resident at the end, against after 10,000", ratio, .atMost(1.05), "x")
    }
}
