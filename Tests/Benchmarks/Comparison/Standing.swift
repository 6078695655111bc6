/// How the contenders of one scenario stand to each other.
struct Standing {
    let title: String
    let label: String
    var measurements: [Contender: [Measurement]] = [:]
    /// Why contenders have no measurements.
    var failures: [Contender: String] = [:]

    /// Each column's own median; `nil` for one who has not run.
    func median(_ contender: Contender) -> Measurement? {
        guard let all = measurements[contender], var result = all.first else { return nil }
        result.requestsPerSecond = all.map(\.requestsPerSecond).median
        result.megabytesPerSecond = all.map(\.megabytesPerSecond).median
        result.cpuSeconds = all.map(\.cpuSeconds).median
        result.peakResidentBytes = Int(all.map { Double($0.peakResidentBytes) }.median)
        result.earlyResidentBytes = Self.median(all.map(\.earlyResidentBytes))
        result.finalResidentBytes = Self.median(all.map(\.finalResidentBytes))
        result.waitingRequestBytes = Self.median(all.map(\.waitingRequestBytes))
        return result
    }

    /// How many times as fast as `other` a contender is, by the medians.
    func ratio(_ contender: Contender, to other: Contender) -> Double? {
        guard let first = median(contender), let second = median(other) else { return nil }
        return first.requestsPerSecond / second.requestsPerSecond
    }

    func report(to output: Output) {
        let rounds = measurements.values.map(\.count).max() ?? 0
        output.text("\(title), medians of \(rounds) rounds")
        let reference: Contender = measurements[.curlLoop] != nil ? .curlLoop : .networkQueueCurl
        for contender in Contender.allCases {
            if let failure = failures[contender] {
                output.text("\(contender.rawValue.padded(to: 26)) FAILED: \(failure)")
            }
            guard let median = median(contender) else { continue }
            output.json(median)
            let rates = (measurements[contender] ?? []).map(\.requestsPerSecond)
            let ratio = self.ratio(contender, to: reference).map { format("%7.2f ×", $0) } ?? ""
            output.text("\(median.line) \(ratio) \(reference.rawValue)  (\(Self.range(rates)) req/s)")
        }
        output.text("")
    }

    private static func range(_ rates: [Double]) -> String {
        let pattern = (rates.max() ?? 0) < 1000 ? "%.2f" : "%.0f"
        return "\(format(pattern, rates.min() ?? 0))-\(format(pattern, rates.max() ?? 0))"
    }

    private static func median(_ values: [Int?]) -> Int? {
        let known = values.compactMap { $0.map(Double.init) }
        return known.isEmpty ? nil : Int(known.median)
    }
}

extension [Double] {
    /// The middle one, or the mean of the two in the middle; NaN without values.
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
