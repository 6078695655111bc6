import Foundation
import NetworkQueueKit

/// What a command line means: the files to fetch, and what cannot be fetched.
struct DownloadPlan {
    private let options: DownloadOptions
    private let decoration: RequestDecoration
    /// What is to be fetched, in order.
    private(set) var downloads: [Download] = []
    /// Lines of lists that are no URLs.
    let bad: [JobFailure]
    /// How many files are there, and are not asked for.
    private(set) var skippedCount = 0

    init(_ options: DownloadOptions, environment: [String: String]) throws(UsageError) {
        self.options = options
        decoration = try RequestDecoration(options.transfer, environment: environment)
        let source = try SourceReader(options.source, checksum: options.checksum)
        bad = source.bad
        downloads = try places(of: source.entries)
        guard options.existing == .keep else { return }
        let all = downloads.count
        downloads.removeAll { $0.file.map { SystemFile.exists($0.path(percentEncoded: false)) } ?? false }
        skippedCount = all - downloads.count
    }

    private func places(of entries: [ListEntry]) throws(UsageError) -> [Download] {
        let folder = URL(filePath: options.folder, directoryHint: .isDirectory)
        switch options.output {
        case .standardOutput: return entries.map { download($0, to: nil, name: "standard output") }
        case .file(let path):
            let file = path.hasPrefix("/") ? URL(filePath: path) : folder.appending(path: path)
            if SystemFile.isFolder(file.path(percentEncoded: false)) {
                throw UsageError("--output “\(path)” is a folder; --dir puts files below one")
            }
            return entries.map { download($0, to: file, name: path) }
        case .folder:
            let plan = PathPlan(strip: options.strip, numbersFiles: options.existing == .rename)
            do throws(PathPlan.Clash) {
                return zip(entries, try plan.paths(of: entries)).map { entry, path in
                    let file = path.reduce(folder) { $0.appending(component: $1, directoryHint: .notDirectory) }
                    return download(entry, to: file, name: path.joined(separator: "/"))
                }
            } catch {
                throw UsageError(complaint(error, entries))
            }
        }
    }

    private func complaint(_ clash: PathPlan.Clash, _ entries: [ListEntry]) -> String {
        let pair = [clash.first, clash.second].map { URLText.shown(entries[$0].url) }.joined(separator: " and ")
        let wish = clash.isFolder ? "need “\(clash.path)” as a file and as a folder" : "would both be “\(clash.path)”"
        return "\(pair) \(wish); --dirs keeps their folders, --rename numbers them, and in a list “out=” names one"
    }

    private func download(_ entry: ListEntry, to file: URL?, name: String) -> Download {
        Download(
            entry: entry, file: file, name: name, onConflict: options.conflictPolicy, decoration: decoration)
    }
}
