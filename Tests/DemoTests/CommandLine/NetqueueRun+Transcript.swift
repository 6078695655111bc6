import Foundation

extension String {
    /// The text with `TIME` in the place of durations and the rates behind them: `7 B in 0.1 s (70 B/s)`.
    var withoutTimes: String {
        replacing(/B in ([0-9.]+ s|[0-9]+ min [0-9]+ s)( \([^)]*B\/s\))?/, with: "B in TIME")
    }
}

extension NetqueueRun {
    /// The standard error without the lines on progress that come every five seconds, as on a slow machine.
    var settledError: String {
        let lines = error.components(separatedBy: "\n")
        return lines.enumerated().filter { index, line in
            let isProgress = line.wholeMatch(of: /Starting|Sizing .*|([0-9]+%, )?[0-9]+\/[0-9]+ files?, .*/) != nil
            // The last one of each job stays.
            let next = lines[min(index + 1, lines.count - 1)]
            return !isProgress || next.isEmpty || next.hasPrefix("Retrying the sizes")
        }.map(\.element).joined(separator: "\n")
    }

    /// One line of the output with `--json`.
    struct JSONLine: Decodable {
        var event: String
        var time: String
        var name, url, file, mirror, reason, error: String?
        var state: String?
        var offset: Int64?
        var plan: Plan?
        var space: Space?
        var status, attempts, total, finished, kept, failed, cancelled, unchecked: Int?
        var bytes, size: Int64?
        var seconds: Double?
        var current: Bool?
    }

    struct Plan: Decodable, Equatable {
        var count, unknownSizes: Int
        var knownBytes: Int64
        var presentBytes: Int64?
        var volumes: [Space]?
    }

    struct Space: Decodable, Equatable {
        var needed: Int64
        var free: Int64?
        var path: String
    }

    /// The lines about items, and the summary.
    var jsonLines: [JSONLine] { get throws { try allJSONLines.filter { $0.event != "plan" } } }

    /// The lines without those that come every second, as on a slow machine.
    var allJSONLines: [JSONLine] {
        get throws {
            try output.split(separator: "\n").map { try JSONDecoder().decode(JSONLine.self, from: Data($0.utf8)) }
                .filter { $0.event != "progress" }
        }
    }
}
