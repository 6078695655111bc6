/// How the contenders stand to each other on one line with one work.
struct WanStanding {
    /// One line of JSON.
    private struct Row: Codable {
        var scenario = SubCommand.wan.rawValue
        var work: WanWork
        var roundTripMilliseconds: Int
        var megabits: Int
        var version: LineProtocol
        var width: Int
        var contender: LineContender
        var seconds: [Double]
        var median: Double
    }

    let work: WanWork
    let roundTrip: Int
    let megabits: Int
    let lanes: [WanLane]
    var seconds: [WanLane: [Double]] = [:]
    /// Why lanes have no figures.
    var failures: [WanLane: String] = [:]

    func median(_ lane: WanLane) -> Double? { seconds[lane]?.median }

    func report(to output: Output) {
        let sizes = work.sizes
        let rounds = seconds.values.map(\.count).max() ?? 0
        output.text(
            "\(work.rawValue): \(sizes.count) files, \(format("%.1f MB", Double(sizes.reduce(0, +)) / 1e6)), "
                + "\(roundTrip) ms, \(megabits) Mbit/s, medians of \(rounds) rounds")
        for lane in lanes { report(lane, to: output) }
        for line in ratios { output.text(line) }
        output.text("")
    }

    private func report(_ lane: WanLane, to output: Output) {
        let name =
            "\(lane.version.rawValue), \(lane.width) at a time".padded(to: 28)
            + lane.contender.rawValue.padded(to: 20)
        if let failure = failures[lane] { output.text("\(name) FAILED: \(failure)") }
        guard let all = seconds[lane], let median = median(lane) else { return }
        output.json(
            Row(
                work: work, roundTripMilliseconds: roundTrip, megabits: megabits, version: lane.version,
                width: lane.width, contender: lane.contender, seconds: all, median: median))
        let curl = self.median(WanLane(contender: .curl, version: lane.version, width: lane.width))
        let ratio = curl.map { format("%6.2f × curl's time", median / $0) } ?? ""
        let range = "(\(format("%.2f", all.min() ?? 0))-\(format("%.2f", all.max() ?? 0)) s)"
        output.text("\(name) \(format("%8.2f s", median)) \(ratio)  \(range)")
    }

    private var ratios: [String] {
        var lines: [String] = []
        for lane in lanes where lane.contender == .sized {
            let unsized = WanLane(contender: .unsized, version: lane.version, width: lane.width)
            guard let first = median(lane), let second = median(unsized) else { continue }
            lines.append(
                "\(lane.contender.rawValue) ÷ ours-unsized, \(lane.version.rawValue), \(lane.width) at a time: "
                    + format("%.2f", first / second))
        }
        for lane in lanes where lane.version == .http2 {
            let other = WanLane(contender: lane.contender, version: .secure, width: 6)
            guard let first = median(lane), let second = median(other) else { continue }
            lines.append(
                "\(lane.contender.rawValue), HTTP/2 with \(lane.width) at a time ÷ HTTP/1.1 with 6: "
                    + format("%.2f", first / second))
        }
        return lines
    }
}
