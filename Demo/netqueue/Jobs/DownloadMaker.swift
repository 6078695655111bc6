import Foundation
import NetworkQueueKit

/// Makes the downloads of a run from the lines that stand for them.
struct DownloadMaker: Sendable {
    let store: ListStore
    let decoration: RequestDecoration
    /// The checksums of the batch; `nil` where there are none.
    let checksums: ChecksumBook?
    let rule: PathRule
    private let options: DownloadOptions
    /// What the path of a file begins with.
    private let folder: String

    init(
        _ options: DownloadOptions, store: ListStore, decoration: RequestDecoration, checksums: ChecksumBook?
    ) {
        self.options = options
        self.store = store
        self.decoration = decoration
        self.checksums = checksums
        rule = PathRule(strip: options.strip)
        folder = URL(filePath: options.folder, directoryHint: .isDirectory).path(percentEncoded: false)
    }

    /// The download of an entry that is to be fetched.
    subscript(number: Int) -> Download {
        let entry = store[number]
        let path = options.output == .folder ? rule.path(of: entry, fileNumber: store.fileNumber(of: number)) : []
        var download = download(of: entry, number, at: path)
        _ = addChecksum(to: &download)
        return download
    }

    /// The download of an entry, with what its own lines say of it.
    ///
    /// - Parameter path: that of its file below the folder, if it goes there.
    func download(of entry: ListEntry, _ number: Int, at path: [String]) -> Download {
        switch options.output {
        case .standardOutput: return download(entry, to: nil, name: URLText.shown(entry.url))
        case .file(let path): return download(entry, to: file(path), name: path)
        case .folder:
            let name = path.joined(separator: "/")
            var download = download(entry, to: folder + name, name: name)
            download.isNumbered = store.fileNumber(of: number) != nil
            return download
        }
    }

    /// Adds the checksum of the batch; returns what is wrong where the two differ.
    func addChecksum(to download: inout Download) -> String? {
        checksums?.add(to: &download.entry, path: checksumPath(of: download))
    }

    /// What lists of checksums may call a download.
    func checksumPath(of download: Download) -> String? { options.output == .folder ? download.name : nil }

    /// The file of `--output`, from the root or below the folder.
    func file(_ path: String) -> String {
        let folder = URL(filePath: options.folder, directoryHint: .isDirectory)
        return (path.hasPrefix("/") ? URL(filePath: path) : folder.appending(path: path)).path(percentEncoded: false)
    }

    private func download(_ entry: ListEntry, to path: String?, name: String) -> Download {
        Download(
            entry: entry, path: path, name: name, onConflict: options.conflictPolicy,
            usesSuggestedName: options.usesSuggestedNames && entry.path == nil, decoration: decoration)
    }
}
