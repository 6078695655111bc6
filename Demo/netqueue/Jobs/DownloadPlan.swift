import Foundation
import NetworkQueueKit

/// What a command line means: the files to fetch, and what cannot be fetched.
struct DownloadPlan {
    private let options: DownloadOptions
    private let netrc: Netrc?
    private let login: Login?
    /// What is to be fetched, in order.
    private(set) var downloads: [Download] = []
    /// Lines of lists that are no URLs.
    private(set) var bad: [JobFailure] = []
    /// How many files are there, and are not asked for.
    private(set) var skippedCount = 0

    init(_ options: DownloadOptions, environment: [String: String]) throws(UsageError) {
        self.options = options
        netrc = options.usesNetrc ? try Netrc(environment: environment) : nil
        login = try options.login?.completed()
        var entries = try readEntries()
        var seen: Set<ListEntry> = []
        entries.removeAll { !seen.insert($0).inserted }
        if let shard = options.shard { entries.removeAll { !shard.contains($0.url) } }
        downloads = try places(of: entries)
        guard options.existing == .keep else { return }
        let all = downloads.count
        downloads.removeAll { $0.file.map { SystemFile.exists($0.path(percentEncoded: false)) } ?? false }
        skippedCount = all - downloads.count
    }

    /// The URLs of the command line and the lists. A line of a list that is not a URL fails like a download; a word of the
    /// command line that is not one has been mistyped.
    private mutating func readEntries() throws(UsageError) -> [ListEntry] {
        var entries: [ListEntry] = []
        for text in options.urls {
            guard let url = URLText.url(text) else { throw UsageError(URLText.complaint(text)) }
            entries.append(ListEntry(url: url, checksum: options.checksum))
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
            bad += list.badLines.map { JobFailure(source: $0.place, reason: $0.reason, kind: "wrong line of a list") }
        }
        return entries
    }

    private func places(of entries: [ListEntry]) throws(UsageError) -> [Download] {
        let folder = URL(filePath: options.folder, directoryHint: .isDirectory)
        switch options.output {
        case .standardOutput: return entries.map { download($0, to: nil, name: "standard output") }
        case .file(let path):
            let file = path.hasPrefix("/") ? URL(filePath: path) : folder.appending(path: path)
            return entries.map { download($0, to: file, name: path) }
        case .folder:
            let plan = PathPlan(strip: options.strip, numbersFiles: options.existing == .rename)
            do throws(PathPlan.Clash) {
                return zip(entries, try plan.paths(of: entries)).map { entry, path in
                    let file = path.reduce(folder) { $0.appending(component: $1, directoryHint: .notDirectory) }
                    return download(entry, to: file, name: path.joined(separator: "/"))
                }
            } catch {
                let first = URLText.shown(entries[error.first].url), second = URLText.shown(entries[error.second].url)
                let wish =
                    error.isFolder ? "need “\(error.path)” as a file and as a folder" : "would both be “\(error.path)”"
                throw UsageError(
                    "\(first) and \(second) \(wish); --dirs keeps their folders, --rename numbers them, and in a list "
                        + "“out=” names one")
            }
        }
    }

    private func download(_ entry: ListEntry, to file: URL?, name: String) -> Download {
        Download(
            entry: entry, file: file, name: name, onConflict: options.conflictPolicy,
            login: login ?? netrc?.login(for: entry.url.host() ?? ""), timeout: options.timeout)
    }
}

extension DownloadOptions.Shard {
    /// Whether a URL belongs to this part: by a hash (FNV-1a) that is the same on every machine.
    func contains(_ url: URL) -> Bool {
        let hash = url.absoluteString.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        // Its low bits alone would depend on few of the letters.
        return (hash ^ hash >> 32) % UInt64(count) == UInt64(number - 1)
    }
}
