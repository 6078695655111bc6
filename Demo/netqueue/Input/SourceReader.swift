import Foundation
import NetworkQueueKit

/// The URLs of a command line and its lists.
struct SourceReader {
    /// In order, each once.
    private(set) var entries: [ListEntry] = []
    /// Lines of lists that are no URLs.
    private(set) var bad: [JobFailure] = []

    /// A line of a list that is not a URL fails like a download; a word of the command line that is not one has been mistyped.
    init(_ options: SourceOptions, checksum: NetworkRequest.Checksum? = nil) throws(UsageError) {
        for text in options.urls {
            guard let url = URLText.url(text) else { throw UsageError(URLText.complaint(text)) }
            entries.append(ListEntry(url: url, checksum: checksum))
        }
        for path in options.lists {
            let list: URLList
            do {
                list = try URLList(contentsOf: path)
            } catch {
                let reason = (error as? POSIXError)?.reason ?? error.localizedDescription
                throw UsageError("the list “\(path)” cannot be read: \(reason)")
            }
            entries += list.entries
            bad += list.badLines.map {
                JobFailure(source: $0.place, reason: $0.reason, kind: "wrong line of a list")
            }
        }
        var seen: Set<ListEntry> = []
        entries.removeAll { !seen.insert($0).inserted }
        if let shard = options.shard { entries.removeAll { !shard.contains($0.url) } }
    }
}

extension SourceOptions.Shard {
    /// Whether a URL belongs to this part: by a hash (FNV-1a) that is the same on every machine.
    func contains(_ url: URL) -> Bool {
        let hash = url.absoluteString.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        // Its low bits alone would depend on few of the letters.
        return (hash ^ hash >> 32) % UInt64(count) == UInt64(number - 1)
    }
}
