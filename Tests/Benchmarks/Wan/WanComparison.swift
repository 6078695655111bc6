import Foundation

/// A contender with what is asked of it.
struct WanLane: Hashable {
    let contender: LineContender
    let version: LineProtocol
    let width: Int
}

/// Runs every contender in turn over the same line, each in a process of its own, round after round.
///
/// Each round begins with another one, so that none always follows the same one.
struct WanComparison {
    let work: WanWork
    let roundTrip: Int
    let lanes: [WanLane]
    let options: WanOptions
    let server: BenchmarkServer

    func run() throws -> WanStanding {
        let lines = try Dictionary(
            uniqueKeysWithValues: Set(lanes.map(\.version)).map { version in
                let port = server.ports[version] ?? 0
                return (
                    version,
                    try Line(to: port, roundTripMilliseconds: roundTrip, megabits: options.megabits)
                )
            })
        var standing = WanStanding(
            work: work, roundTrip: roundTrip, megabits: options.megabits, lanes: lanes)
        for round in 0..<options.rounds {
            for position in lanes.indices {
                let lane = lanes[(position + round) % lanes.count]
                guard standing.failures[lane] == nil, let line = lines[lane.version] else { continue }
                do {
                    standing.seconds[lane, default: []].append(try measure(lane, line))
                } catch {
                    // What a contender does not bring whole is no figure.
                    standing.failures[lane] = "\(error)"
                    standing.seconds[lane] = nil
                }
            }
        }
        return standing
    }

    private func measure(_ lane: WanLane, _ line: Line) throws -> Double {
        let sizes = work.sizes
        let folder = DownloadFolder(url: server.folder.appending(path: "downloads"))
        try folder.prepare()
        let scheme = lane.version == .plain ? "http" : "https"
        let task = DownloadTask(
            contender: lane.contender, url: "\(scheme)://127.0.0.1:\(line.port)/\(work.rawValue)/#",
            count: sizes.count, width: lane.width, folder: folder.url, version: lane.version,
            certificate: server.certificate)
        let result = try task.runInProcess()
        try folder.check(sizes)
        return result.seconds
    }
}
