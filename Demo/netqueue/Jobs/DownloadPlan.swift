import Foundation
import NetworkQueueKit

/// What a command line means, as its lists are read: the files to fetch, and what cannot be fetched.
///
/// It looks at each line once before anything is fetched, since two files that are in each other's way, wrong lines and
/// the number of files are told then. What it keeps is where the lines are; the downloads are made again from these.
struct DownloadPlan: Sendable {
    /// What has become known at one time.
    struct Portion {
        /// What is to be fetched, in order: the numbers of entries.
        var downloads: [Int] = []
        /// What cannot be fetched: lines that are no URLs, and URLs that would be in the way of others.
        var bad: [JobFailure] = []
        /// How many files are there, and are not asked for.
        var skippedCount = 0
        /// The size of all downloads together, if the list has that of each.
        var size: Int64? = 0
        /// The folders that the downloads need.
        var folders = NewFolders()
    }

    /// Why a line cannot be fetched, in the order in which that is told.
    private enum Fault: Int, CaseIterable {
        case checksumLine, line, name, checksum, folder, size
    }

    let maker: DownloadMaker
    private let options: DownloadOptions
    private var source: SourceReader
    private var paths: PathPlan
    private var hasBegun = false

    init(_ options: DownloadOptions, environment: [String: String]) throws(UsageError) {
        self.options = options
        let decoration = try RequestDecoration(options.transfer, environment: environment)
        let checksums = options.checksumLists.isEmpty ? nil : try ChecksumBook(options.checksumLists)
        source = SourceReader(options.source, checksum: options.checksum)
        maker = DownloadMaker(options, store: source.store, decoration: decoration, checksums: checksums)
        paths = PathPlan(maker.rule, numbering: options.pathNumbering, store: source.store)
    }

    /// Whether ``next()`` may have more to tell.
    var hasMore: Bool { source.hasMore }

    /// Waits for the next files, and returns them; `nil` at the end.
    ///
    /// Of the first of them, two that would be one file are an error, before anything is fetched. One that comes later,
    /// and is in the way of one before, fails alone.
    mutating func next() throws(UsageError) -> Portion? {
        var portion = Portion()
        var faults = [[JobFailure]](repeating: [], count: Fault.allCases.count)
        if !hasBegun { faults[Fault.checksumLine.rawValue] = maker.checksums?.bad ?? [] }
        var isEmpty = true
        repeat {
            guard try source.load() else { return nil }
            if case .file(let path) = options.output { try checkOutput(path) }
            let first = maker.store.count
            while let item = source.next() {
                isEmpty = false
                switch item {
                case .bad(let failure): faults[Fault.line.rawValue].append(failure)
                case .entry(let entry, let number) where paths.numbering == .none:
                    try take(entry, number, into: &portion, &faults)
                case .entry(let entry, let number): paths.claimFolders(of: entry, number)
                }
            }
            // A folder that one of them needs is no file of another that comes with it.
            guard paths.numbering != .none else { continue }
            for number in first..<maker.store.count { try take(maker.store[number], number, into: &portion, &faults) }
        } while isEmpty
        portion.bad = faults.flatMap(\.self)
        hasBegun = true
        return portion
    }

    /// Looks at an entry, and decides what becomes of it.
    private mutating func take(
        _ entry: ListEntry, _ number: Int, into portion: inout Portion, _ faults: inout [[JobFailure]]
    ) throws(UsageError) {
        var path: [String] = []
        if options.output == .folder {
            do throws(PathPlan.Clash) { path = try paths.claim(entry, number) } catch {
                guard hasBegun else { throw UsageError(complaint(error)) }
                return faults[Fault.name.rawValue].append(
                    JobFailure(
                        source: error.path, reason: complaint(error), kind: "file of another URL", lines: entry.line))
            }
        }
        var download = maker.download(of: entry, number, at: path)
        maker.checksums?.note(entry, path: maker.checksumPath(of: download))
        if let fault = maker.addChecksum(to: &download) {
            faults[Fault.checksum.rawValue].append(
                JobFailure(
                    source: download.name, reason: fault, kind: "checksums that differ", lines: download.entry.line,
                    code: .checksum))
        } else if isFolder(download) {
            faults[Fault.folder.rawValue].append(
                JobFailure(source: download.name, reason: "is a folder", lines: download.entry.line, code: .exists))
        } else if options.existing == .keep, let path = download.path, SystemFile.exists(path) {
            // One of another size than its list says is a failure, as is one with another checksum, which the library
            // finds without a request.
            let size = SystemFile.size(path)
            if let expected = download.entry.size, let size, size != expected {
                faults[Fault.size.rawValue].append(
                    .size(size, insteadOf: expected, source: download.name, lines: download.entry.line))
            } else if download.entry.checksum == nil {
                portion.skippedCount += 1
            } else {
                portion.add(download, number)
            }
        } else {
            portion.add(download, number)
        }
    }

    /// Whether a folder has the name. What is numbered, or named by its server, may be out of its way.
    private func isFolder(_ download: Download) -> Bool {
        let mayGiveWay = options.existing == .rename || options.existing == .verify || options.usesSuggestedNames
        return !mayGiveWay && download.path.map(SystemFile.isFolder) == true
    }

    private func checkOutput(_ path: String) throws(UsageError) {
        let file = maker.file(path)
        if SystemFile.isFolder(file) {
            throw UsageError("--output “\(path)” is a folder; --dir puts files below one")
        }
        // They may lead to a file, which the download would replace under the shell's hands.
        if ["/dev/stdout", "/dev/fd/1"].contains(path) {
            throw UsageError("--output “\(path)” is no regular file; “--output -” is the standard output")
        }
        if SystemFile.isSpecial(file) {
            throw UsageError("--output “\(path)” is no regular file; “--output - >\(path)” has the shell open it")
        }
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
        let rule = PathRule(strip: 0)
        let (first, second) = (rule.wish(of: clash.first), rule.wish(of: clash.second))
        return !first.starts(with: second) && !second.starts(with: first)
    }
}

extension DownloadPlan.Portion {
    fileprivate mutating func add(_ download: Download, _ number: Int) {
        downloads.append(number)
        size = size.flatMap { sum in download.entry.size.map { sum + $0 } }
        // Before any of them is created.
        if let path = download.path { folders.note(path) }
    }
}
