import Dashboard
import Foundation
import NetworkQueueKit

/// What a run would do with a file; in JSON it is the event `check`.
struct Forecast: Sendable {
    let name: String
    var group: String?
    let url: URL
    /// The absolute path of the file.
    let file: String?
    let size: Int64?
    /// What becomes of the file; `nil` for an upload.
    var state: DownloadPreview.State?

    /// The state in one word.
    var word: String? {
        switch state {
        case .new?: "new"
        case .resumes?: "resumes"
        case .current?: "current"
        case .changed?: "changed"
        case .unknown?: "unknown"
        case nil: nil
        }
    }

    /// The number of bytes after which an interrupted download goes on.
    var offset: Int64? { if case .resumes(let offset)? = state { offset } else { nil } }

    /// The line of a table.
    var line: String {
        let word = offset.map { "resumes at \(ByteCount.text($0))" } ?? word
        guard let word else {
            return "\(SizeTable.column(size))  \(name.withoutControls()) -> \(URLText.shown(url))\n"
        }
        return Self.line(word, size, name)
    }

    /// The line of a file with a word about it.
    static func line(_ word: String, _ size: Int64?, _ name: String) -> String {
        let gap = String(repeating: " ", count: max(0, 21 - word.count))
        return "\(word)\(gap)  \(SizeTable.column(size))  \(name.withoutControls())\n"
    }
}
