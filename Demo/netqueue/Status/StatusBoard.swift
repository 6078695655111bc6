import Dashboard
import Foundation
import NetworkQueueKit

/// What is known of several machines, one job each.
struct StatusBoard {
    /// The state of a job.
    enum Condition: Equatable {
        case lost(String)
        case failed(String)
        case running
        case well
    }

    struct Machine {
        let path: String
        /// The latest status; `nil` if there has never been one.
        var status: JobStatus?
        /// What is wrong with the file.
        var fault = ""
        /// When the status last changed, by the reader's clock.
        var news: ContinuousClock.Instant
        /// The time without news.
        var silence = Duration.zero
    }

    /// Whether the files are read only once, so that only their age tells whether a job is alive.
    let isOnce: Bool
    private var files: [Machine] = []

    init(isOnce: Bool) { self.isOnce = isOnce }

    private var longestSilence: Duration { isOnce ? .seconds(60) : .seconds(30) }

    /// Notes what the files say now. Files that are no longer named are forgotten, but not those of a folder that cannot
    /// be read at the moment.
    mutating func take(_ readings: [(path: String, reading: StatusReader.Reading)], now: ContinuousClock.Instant) {
        let known = Dictionary(files.map { (ByteText($0.path), $0) }) { first, _ in first }
        files = readings.flatMap { path, reading in
            if case .unreadable = reading, known[ByteText(path)] == nil {
                let start = path.ends(withBytesOf: "/") ? path : path + "/"
                let below = files.filter { $0.path.starts(withBytesOf: start) }
                if !below.isEmpty { return below.map { $0.silent(at: now) } }
            }
            var file = known[ByteText(path)] ?? Machine(path: path, news: now)
            var age: Duration?
            switch reading {
            case .status(let status, let written):
                if status.run != file.status?.run || status.sequence != file.status?.sequence { file.news = now }
                file.status = status
                age = written
            case .fault(let text), .unreadable(let text): file.fault = text
            }
            file = file.silent(at: now)
            if isOnce { file.silence = age ?? .zero }
            return [file]
        }
    }

    /// The files that have never had a status, and what is wrong with them.
    var faults: [(path: String, text: String)] { files.filter { $0.status == nil }.map { ($0.path, $0.fault) } }

    /// The jobs that count: of one part of a list, and of one run, the newest.
    var machines: [Machine] {
        var newest: [String: Machine] = [:]
        for file in files {
            let key =
                file.status.map { $0.part?.text ?? "run \($0.run)" }
                ?? "file \(file.path)"
            if let other = newest[key], !file.isNewer(than: other) { continue }
            newest[key] = file
        }
        return newest.values.sorted { ($0.rank, $0.path) < ($1.rank, $1.path) }
    }

    func condition(of machine: Machine) -> Condition {
        guard let status = machine.status else { return .lost("lost: \(machine.fault)") }
        if let exit = status.exit {
            let counts = status.progress.counts
            var reasons: [String] = []
            if counts.failed > 0 { reasons.append("\(counts.failed) failed") }
            if counts.cancelled > 0 { reasons.append("\(counts.cancelled) cancelled") }
            if reasons.isEmpty, exit != 0 { reasons.append("exit code \(exit)") }
            return reasons.isEmpty ? .well : .failed(reasons.joined(separator: ", "))
        }
        guard machine.silence >= longestSilence else { return .running }
        return .lost("lost: no news for \(TimeText.countdown(machine.silence))")
    }

    /// Whether no job is running.
    var isOver: Bool { !machines.isEmpty && !machines.contains { condition(of: $0) == .running } }

    /// The highest code that applies: a job is running (3), one is lost (2), one has failed or was cancelled (1).
    var exitCode: ExitCode {
        machines.map { machine -> ExitCode in
            switch condition(of: machine) {
            case .well: .success
            case .failed: .failure
            case .lost: .lost
            case .running: .running
            }
        }.max { $0.rawValue < $1.rawValue } ?? .lost
    }
}

extension StatusBoard.Machine {
    /// The name to display.
    var name: String {
        guard let status else { return path }
        return (status.part.map { $0.text + " " } ?? "") + status.host
    }

    fileprivate func silent(at now: ContinuousClock.Instant) -> Self {
        var machine = self
        machine.silence = now - news
        return machine
    }

    fileprivate var rank: Int { status?.part?.number ?? .max }

    fileprivate func isNewer(than other: Self) -> Bool {
        guard let status, let rival = other.status else { return false }
        let (start, rivalStart) = (status.start ?? .distantPast, rival.start ?? .distantPast)
        return (start, status.sequence) > (rivalStart, rival.sequence)
    }
}

extension ExitCode {
    /// The job of a machine no longer writes its status.
    static let lost = ExitCode(rawValue: 2)
    /// A job has not ended.
    static let running = ExitCode(rawValue: 3)
}
