import Foundation
import NetworkQueueKit

/// Creates the downloads of a run from the numbers of their entries.
struct DownloadMaker: Sendable {
    let store: ListStore
    let decoration: RequestDecoration
    /// The checksums of the batch; `nil` without `--checksums`.
    let checksums: ChecksumBook?
    let rule: PathRule
    private let options: Options
    /// The absolute path of the folder for the files.
    private let folder: String

    init(
        _ options: Options, store: ListStore, decoration: RequestDecoration, checksums: ChecksumBook?
    ) {
        self.options = options
        self.store = store
        self.decoration = decoration
        self.checksums = checksums
        rule = PathRule(strip: options.strip)
        folder = URL(filePath: options.folder, directoryHint: .isDirectory).path(percentEncoded: false)
    }

    /// The download of an entry, with the checksum of the batch.
    subscript(number: Int) -> Download {
        let entry = store[number]
        let path = options.output == .folder ? rule.path(of: entry, fileNumber: store.fileNumber(of: number)) : []
        var download = download(of: entry, number, at: path)
        _ = addChecksum(to: &download)
        return download
    }

    /// The download of an entry, with its own fields only.
    ///
    /// - Parameter path: The path of the file below the folder, if it goes there.
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

    /// Adds the checksum of the batch; returns a complaint if it contradicts the entry's.
    func addChecksum(to download: inout Download) -> String? {
        checksums?.add(to: &download.entry, path: checksumPath(of: download))
    }

    /// The path by which checksum lists may name a download.
    func checksumPath(of download: Download) -> String? { options.output == .folder ? download.name : nil }

    /// The absolute path of the file of `--output`, which may be relative to the folder.
    func file(_ path: String) -> String {
        let folder = URL(filePath: options.folder, directoryHint: .isDirectory)
        return (path.starts(withBytesOf: "/") ? URL(filePath: path) : folder.appending(path: path)).path(
            percentEncoded: false)
    }

    private func download(_ entry: ListEntry, to path: String?, name: String) -> Download {
        Download(
            entry: entry, path: path, name: name, onConflict: options.conflictPolicy,
            usesSuggestedName: options.usesSuggestedNames && entry.path == nil, decoration: decoration)
    }
}
