import Foundation
import NetworkQueueKit

/// What a command line means, as its lists are read: the files to fetch, and what cannot be fetched.
struct DownloadPlan: Sendable {
    /// What has become known at one time.
    struct Portion {
        /// What is to be fetched, in order.
        var downloads: [Download] = []
        /// What cannot be fetched: lines that are no URLs, and URLs that would be in the way of others.
        var bad: [JobFailure] = []
        /// How many files are there, and are not asked for.
        var skippedCount = 0
    }

    /// The checksums of the batch; `nil` where there are none.
    let checksums: ChecksumBook?

    private let options: DownloadOptions
    let decoration: RequestDecoration
    private var source: SourceReader
    private var paths: PathPlan
    private var hasBegun = false

    init(_ options: DownloadOptions, environment: [String: String]) throws(UsageError) {
        self.options = options
        decoration = try RequestDecoration(options.transfer, environment: environment)
        checksums = options.checksumLists.isEmpty ? nil : try ChecksumBook(options.checksumLists)
        source = SourceReader(options.source, checksum: options.checksum)
        paths = PathPlan(strip: options.strip, numbering: options.pathNumbering)
    }

    /// Whether ``next()`` may have more to tell.
    var hasMore: Bool { source.hasMore }

    /// Waits for the next files, and returns them; `nil` at the end.
    ///
    /// Of the first of them, two that would be one file are an error, before anything is fetched. One that comes later,
    /// and is in the way of one before, fails alone.
    mutating func next() throws(UsageError) -> Portion? {
        guard let read = try source.next() else { return nil }
        defer { hasBegun = true }
        var portion = Portion(bad: (hasBegun ? [] : checksums?.bad ?? []) + read.bad)
        try place(read.entries, in: &portion)
        addChecksums(in: &portion)
        refuseFolders(in: &portion)
        if options.existing == .keep { skipFilesThere(in: &portion) }
        return portion
    }

    private func addChecksums(in portion: inout Portion) {
        guard let checksums else { return }
        var bad: [JobFailure] = []
        portion.downloads = portion.downloads.compactMap { download in
            var download = download
            let path = options.output == .folder ? download.name : nil
            guard let fault = checksums.add(to: &download.entry, path: path) else { return download }
            bad.append(
                JobFailure(
                    source: download.name, reason: fault, kind: "checksums that differ", lines: download.entry.line,
                    code: .checksum))
            return nil
        }
        portion.bad += bad
    }

    /// Takes those out whose names folders have. What is numbered, or named by its server, may be out of their way.
    private func refuseFolders(in portion: inout Portion) {
        guard options.existing != .rename, options.existing != .verify, !options.usesSuggestedNames else { return }
        let all = portion.downloads
        portion.downloads = all.filter { $0.path.map(SystemFile.isFolder) != true }
        guard portion.downloads.count < all.count else { return }
        portion.bad += all.filter { $0.path.map(SystemFile.isFolder) == true }.map {
            JobFailure(source: $0.name, reason: "is a folder", lines: $0.entry.line, code: .exists)
        }
    }

    /// Takes those out whose files are there. One of another size than its list says is a failure, as is one with
    /// another checksum, which the library finds without a request.
    private func skipFilesThere(in portion: inout Portion) {
        let all = portion.downloads
        portion.downloads = []
        for download in all {
            guard let path = download.path, SystemFile.exists(path) else {
                portion.downloads.append(download)
                continue
            }
            let size = SystemFile.size(path)
            if let expected = download.entry.size, let size, size != expected {
                portion.bad.append(
                    .size(size, insteadOf: expected, source: download.name, lines: download.entry.line))
            } else if download.entry.checksum == nil {
                portion.skippedCount += 1
            } else {
                portion.downloads.append(download)
            }
        }
    }

    private mutating func place(_ entries: [ListEntry], in portion: inout Portion) throws(UsageError) {
        let folder = URL(filePath: options.folder, directoryHint: .isDirectory)
        switch options.output {
        case .standardOutput: portion.downloads = entries.map { download($0, to: nil, name: URLText.shown($0.url)) }
        case .file(let path):
            let file = (path.hasPrefix("/") ? URL(filePath: path) : folder.appending(path: path))
                .path(percentEncoded: false)
            if SystemFile.isFolder(file) {
                throw UsageError("--output “\(path)” is a folder; --dir puts files below one")
            }
            // They may lead to a file, which the download would replace under the shell's hands.
            if ["/dev/stdout", "/dev/fd/1"].contains(path) {
                throw UsageError("--output “\(path)” is no regular file; “--output -” is the standard output")
            }
            if SystemFile.isSpecial(file) {
                throw UsageError(
                    "--output “\(path)” is no regular file; “--output - >\(path)” has the shell open it")
            }
            portion.downloads = entries.map { download($0, to: file, name: path) }
        case .folder:
            let start = folder.path(percentEncoded: false)
            portion.downloads.reserveCapacity(entries.count)
            for (entry, path) in zip(entries, paths.paths(of: entries)) {
                switch path {
                case .success(let path):
                    let name = path.joined(separator: "/")
                    var download = download(entry, to: start + name, name: name)
                    download.isNumbered = path != paths.wish(of: entry)
                    portion.downloads.append(download)
                case .failure(let clash):
                    guard hasBegun else { throw UsageError(complaint(clash)) }
                    portion.bad.append(
                        JobFailure(
                            source: clash.path, reason: complaint(clash), kind: "file of another URL", lines: entry.line
                        ))
                }
            }
        }
    }

    private func download(_ entry: ListEntry, to path: String?, name: String) -> Download {
        Download(
            entry: entry, path: path, name: name, onConflict: options.conflictPolicy,
            usesSuggestedName: options.usesSuggestedNames && entry.path == nil, decoration: decoration)
    }

    private func complaint(_ clash: PathPlan.Clash) -> String {
        let pair = "\(URLText.shown(clash.first.url)) and \(URLText.shown(clash.second.url))"
        let wish =
            clash.isFolder
            ? "need “\(clash.path)” as a file and as a folder" : "would both be “\(clash.path)”"
        let folders =
            foldersHelp(clash) ? "\(options.strip == nil ? "--dirs" : "a smaller --strip") keeps their folders, " : ""
        return "\(pair) \(wish); \(folders)--rename numbers them, and in a list “out=” names one"
    }

    /// Whether the two would be out of each other's way with all folders of their URLs.
    private func foldersHelp(_ clash: PathPlan.Clash) -> Bool {
        guard options.strip != 0 else { return false }
        var full = PathPlan(strip: 0)
        return full.paths(of: [clash.first, clash.second]).allSatisfy { (try? $0.get()) != nil }
    }
}
