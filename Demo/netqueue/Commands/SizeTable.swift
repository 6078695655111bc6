import Dashboard
import NetworkQueueKit

/// The sizes that servers report, by the number of the item.
final class SizeTable: Sendable {
    /// `nil` if the server does not report one.
    private let sizes = Locked<[Int: Int64?]>([:])

    func note(_ size: Int64?, of number: Int) { sizes.withLock { $0[number] = .some(size) } }

    /// The sum of the known sizes; the largest number if the sum is larger.
    var total: Int64 { sizes.withLock { $0.values.reduce(0) { $0.addingSaturated($1 ?? 0) } } }

    /// One line for each answered item, in the order of `names`, and the total.
    func text(_ names: [String]) -> String {
        let sizes = sizes.withLock { $0 }
        let known = names.enumerated().compactMap { number, name in sizes[number].map { (name, $0) } }
        let lines = known.map { name, size in
            Self.column(size) + "  " + name.withoutControls() + "\n"
        }
        return lines.joined() + Self.total(total, known.count, unknown: known.count { $0.1 == nil }) + "\n"
    }

    /// The last line of a table, without its end.
    static func total(_ bytes: Int64, _ count: Int, of noun: String = "file", unknown: Int = 0) -> String {
        "\(column(bytes))  total of \(count.counted(noun))" + (unknown > 0 ? ", \(unknown) of unknown size" : "")
    }

    /// A size in a column of a table; `?` if it is unknown.
    static func column(_ size: Int64?) -> String {
        let text = size.map(ByteCount.text) ?? "?"
        return String(repeating: " ", count: max(0, 10 - text.count)) + text
    }
}

extension Int {
    /// The number and what it counts, such as `1 file` or `2 files`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension ResponseHead {
    /// The length of the whole content. If there is a `Content-Range`, it is the number after the slash: `bytes
    /// 0-0/5000`, or `bytes */5000` in a 416. `nil` if the response is not about the content.
    var wholeLength: Int64? {
        guard ![202, 204, 205].contains(statusCode) else { return nil }
        guard let range = headers["Content-Range"] else { return expectedContentLength }
        return range.split(separator: "/").last.flatMap { Int64($0) }
    }
}
