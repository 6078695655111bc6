import Dashboard
import Foundation
import NetworkQueueKit

/// The log lines about retries: one for each, until a server has failed so often for the same reason that further ones
/// are only counted.
struct RetryLines: Sendable {
    private struct Count {
        var retries = 0
        var files: Set<ByteText> = []
    }

    let limit: Int
    /// The counts by server and reason.
    private var counts: [ByteText: Count] = [:]

    init(limit: Int = FailureLines.limit) { self.limit = limit }

    /// The line for a retry; `nil` if the retry is only counted.
    ///
    /// - Parameter mirror: The URL to try next, if it is another.
    mutating func line(
        for failure: JobFailure, at url: URL, after delay: Duration, turningTo mirror: URL? = nil,
        isRenewing: Bool = false
    ) -> String? {
        let key = "\(url.address ?? ""): \(failure.kind ?? failure.reason)"
        let entry = ByteText(key)
        counts[entry, default: Count()].retries += 1
        let number = counts[entry]?.retries ?? 0
        if number <= limit {
            let next = Self.next(after: failure, in: delay, mirror, url, isRenewing: isRenewing)
            return "\(failure.source): \(failure.reason); \(next)"
        }
        counts[entry]?.files.insert(ByteText(failure.source))
        return number == limit + 1 ? "\(key); further retries are not shown" : nil
    }

    /// The next step: `retrying in 2 s`, `fetching all of it again` after damaged content, `asking for a new URL`, or
    /// `trying mirror.example:443`, with the whole URL for a mirror on the same server.
    static func next(
        after failure: JobFailure, in delay: Duration, _ mirror: URL?, _ former: URL?, isRenewing: Bool = false
    ) -> String {
        if isRenewing { return "asking for a new URL" }
        guard let mirror else {
            let isDamaged = [.size, .checksum].contains(failure.code)
            return isDamaged ? "fetching all of it again" : "retrying in \(TimeText.delay(delay))"
        }
        let place = mirror.address ?? ""
        return "trying \(former?.address == place ? URLText.shown(mirror) : place)"
    }

    /// One line for each server and reason with retries that were only counted.
    mutating func end() -> [String] {
        defer { counts = [:] }
        return counts.filter { $0.value.retries > limit }.sorted { $0.key < $1.key }.map { key, count in
            "\(key.text); \(count.retries - limit) more retries of \(count.files.count.counted("file"))"
        }
    }
}
