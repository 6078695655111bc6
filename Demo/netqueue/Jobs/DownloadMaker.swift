import Foundation
import NetworkQueueKit

/// A file to download.
struct Download: Hashable {
    var entry: ListEntry
    /// The absolute path of the file; `nil` means the standard output.
    let path: String?
    let name: String
    /// Whether the path contains a number, because another file of the run has the path of the URL.
    var isNumbered = false
}

/// Creates the downloads of a run from the numbers of their entries.
struct DownloadMaker: Sendable {
    let store: ListStore
    let decoration: RequestDecoration
    /// The checksums of the batch; `nil` without `--checksums`.
    let checksums: ChecksumBook?
    let rule: PathRule
    /// Replaces links that have expired; `nil` without `--refresh`.
    let refresh: LinkRefresh?
    /// Runs a command for each file; `nil` without `--exec`.
    let exec: FileCommand?
    private let options: Options
    /// The absolute path of the folder for the files.
    private let folder: String

    init(_ options: Options, _ store: ListStore, _ settings: RunSettings) throws(UsageError) {
        (self.options, self.store, decoration) = (options, store, settings.decoration)
        checksums = options.checksumLists.isEmpty ? nil : try ChecksumBook(options, settings.lists)
        refresh = if let text = options.refresh { try LinkRefresh(text) } else { nil }
        exec = if let text = options.exec { try FileCommand(text, atMost: options.jobs) } else { nil }
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

    /// The entry of a download that is written to a list. The numbers of files depend on what else is in the list, so
    /// it names the file, unless the server does.
    func entryToRepeat(_ number: Int) -> ListEntry {
        let download = self[number]
        var entry = download.entry
        if download.isNumbered, !options.usesSuggestedNames {
            entry.path = download.name.parts(separatedBy: "/").map(String.init)
        }
        return entry
    }

    /// The download of an entry, with its own fields only.
    ///
    /// - Parameter path: The path of the file below the folder, if it goes there.
    func download(of entry: ListEntry, _ number: Int, at path: [String]) -> Download {
        switch options.output {
        case .standardOutput: return Download(entry: entry, path: nil, name: URLText.shown(entry.url))
        case .file(let path): return Download(entry: entry, path: file(path), name: path)
        case .folder:
            let name = path.joined(separator: "/")
            let isNumbered = store.fileNumber(of: number) != nil
            return Download(entry: entry, path: folder + name, name: name, isNumbered: isNumbered)
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

    /// The rule for responses with `--accept`; `nil` without it.
    var acceptedContent: ResponseValidation? {
        let types = options.acceptedTypes
        return types.isEmpty ? nil : .contentStatus.and(.contentTypes(types))
    }

    /// The request for the entry with a number.
    ///
    /// - Parameter log: Called with each line that the command of `--exec` writes.
    func item(_ number: Int, log: @escaping @Sendable (String) -> Void = { _ in }) -> NetworkRequest {
        let download = self[number]
        let entry = download.entry
        var request = NetworkRequest(entry.url)
        if let path = download.path {
            request.destination = .file(
                URL(filePath: path, directoryHint: .notDirectory), onConflict: options.conflictPolicy)
        } else {
            request.destination = .sink(StandardOutputSink())
            // The default for a file, but not for a sink.
            request.validation = .contentStatus
        }
        if let acceptedContent { request.validation = acceptedContent }
        request.usesSuggestedFileName = options.usesSuggestedNames && entry.path == nil
        if download.isNumbered { request.hasNumberedFileName = true }
        request.expectedChecksum = entry.checksum
        request.expectedDownloadSize = entry.size
        request.mirrors = entry.mirrors
        request.group = entry.group
        request.stage = entry.stage
        for header in entry.headers { header.add(to: &request.headers) }
        request.tag = download.name
        decoration.decorate(&request)
        if var exec {
            exec.tell = log
            request.processors = [exec]
            // The plan has compared the size with the list's.
            let size = download.path.flatMap { POSIXFile.size($0) }
            if options.existing == .keep, entry.checksum == nil, let size {
                request.keepsFileUnasked = true
                request.expectedDownloadSize = size
            }
        }
        if let refresh {
            request.freshURL = { expired, _ in try await refresh.url(insteadOf: expired, file: download.path) }
        }
        return request
    }
}
