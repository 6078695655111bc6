import Foundation
import NetworkQueueKit

/// Turns a command line and its lists, as they are read, into files to fetch and failures.
///
/// It checks each line once before anything is fetched, so that colliding files, invalid lines and the number of files
/// are known first. It keeps only the positions of the lines, from which the downloads are created later.
struct DownloadPlan: Sendable {
    /// The part of the plan that becomes known at one time.
    struct Portion {
        /// The numbers of the entries to fetch, in order.
        var downloads: [Int] = []
        /// The failures: invalid lines, and URLs whose files collide with others.
        var bad: [JobFailure] = []
        /// The numbers of existing files that are skipped without a request.
        var skipped: [Int] = []
        /// The total size of all downloads, if the list has the size of each and the sum is a number of bytes.
        var size: Int64? = 0
        /// The folders that the downloads need.
        var folders = NewFolders()
        /// The numbers of downloads in the groups.
        var groups = GroupSizes()
    }

    /// The reasons why a line cannot be fetched, in the order in which they are reported.
    private static let faults: [JobFailure.Code] = [.line, .name, .checksum, .exists, .size]

    let maker: DownloadMaker
    private let options: Options
    private var source: SourceReader
    private var paths: PathPlan
    private var hasBegun = false
    /// The downloads of the portion that is being read.
    private var order: DownloadOrder
    /// The highest stage of the entries so far.
    private var highestStage = 0

    init(_ options: Options, _ settings: RunSettings) throws(UsageError) {
        self.options = options
        order = DownloadOrder(options.listOrder)
        source = SourceReader(options, settings)
        maker = try DownloadMaker(options, source.store, settings)
        paths = PathPlan(maker.rule, numbering: options.pathNumbering, store: source.store)
    }

    /// Ends the standard input for this plan; may be called on another thread.
    var endInput: @Sendable () -> Void { source.endInput }

    /// Whether ``next()`` may return more.
    var hasMore: Bool { source.hasMore }

    /// Waits for the next portion and returns it; returns `nil` at the end.
    ///
    /// A collision in the first portion is an error, before anything is fetched. A later entry that collides with an
    /// earlier one fails alone.
    mutating func next() throws(UsageError) -> Portion? {
        var portion = Portion()
        if !hasBegun { portion.bad = maker.checksums?.bad ?? [] }
        var isEmpty = true
        repeat {
            guard try source.load() else { return nil }
            if case .file(let path) = options.output { try checkOutput(path) }
            let first = maker.store.count
            while let item = source.next() {
                isEmpty = false
                switch item {
                case .bad(let failure): portion.bad.append(failure)
                case .entry(let entry, let number) where paths.numbering == .none:
                    try take(entry, number, into: &portion)
                case .entry(let entry, let number): paths.claimFolders(of: entry, number)
                }
            }
            // A folder needed by one entry must not become the file of another in the same portion.
            guard paths.numbering != .none else { continue }
            for number in first..<maker.store.count { try take(maker.store[number], number, into: &portion) }
        } while isEmpty
        portion.downloads = order.inOrder
        order = DownloadOrder(options.listOrder)
        portion.bad = Self.faults.flatMap { code in portion.bad.filter { $0.code == code } }
        hasBegun = true
        return portion
    }

    /// Checks an entry and adds it to the portion or to the faults.
    private mutating func take(_ entry: ListEntry, _ number: Int, into portion: inout Portion) throws(UsageError) {
        // The queue may have begun with the higher stage.
        if source.isReadingInput, entry.stage < highestStage, options.existing != .verify {
            return portion.bad.append(.lateStage(entry, after: highestStage))
        }
        highestStage = max(highestStage, entry.stage)
        var path: [String] = []
        if options.output == .folder {
            do throws(PathPlan.Clash) { path = try paths.claim(entry, number) } catch {
                guard hasBegun else { throw UsageError(complaint(error)) }
                return portion.bad.append(
                    JobFailure(
                        source: error.path, reason: complaint(error), kind: "another URL has the same file",
                        lines: .entry(entry), code: .name))
            }
        }
        var download = maker.download(of: entry, number, at: path)
        maker.checksums?.note(entry, path: maker.checksumPath(of: download))
        if let fault = maker.addChecksum(to: &download) {
            return portion.bad.append(
                JobFailure(
                    source: download.name, reason: fault, kind: "conflicting checksums", lines: .entry(download.entry),
                    code: .checksum))
        }
        // Note the folders before any of them is created. In a new one, nothing exists yet.
        let isInNewFolder = download.path.map { portion.folders.note($0) } ?? false
        if !isInNewFolder, isFolder(download) {
            return portion.bad.append(
                JobFailure(source: download.name, reason: "is a folder", lines: .entry(download.entry), code: .exists))
        }
        guard !isInNewFolder, options.existing == .keep, let path = download.path, POSIXFile.exists(path) else {
            return add(download, number, to: &portion)
        }
        // A file with a size other than the list's is a failure. So is one with another checksum, which the library
        // checks without a request.
        if let expected = download.entry.size, let size = POSIXFile.size(path), size != expected {
            portion.bad.append(.size(size, insteadOf: expected, source: download.name, lines: .entry(download.entry)))
        } else if download.entry.checksum == nil, !isForCommand(path) {
            portion.skipped.append(number)
        } else {
            add(download, number, to: &portion)
        }
    }

    /// Whether an existing file, which is kept without a request, is an item because a command is run for it.
    private func isForCommand(_ path: String) -> Bool {
        maker.exec != nil && !options.isDryRun && POSIXFile.size(path) != nil
    }

    private mutating func add(_ download: Download, _ number: Int, to portion: inout Portion) {
        order.add(download.entry, number)
        if let group = download.entry.group { portion.groups.add(to: group) }
        portion.size = portion.size.flatMap { sum in download.entry.size.flatMap { sum.adding($0) } }
    }

    /// Whether the download's path is an existing folder. Files that can get another name are exempt.
    private func isFolder(_ download: Download) -> Bool {
        let mayGiveWay = options.existing == .rename || options.existing == .verify || options.usesSuggestedNames
        return !mayGiveWay && download.path.map(POSIXFile.isFolder) == true
    }

    private func checkOutput(_ path: String) throws(UsageError) {
        let file = maker.file(path)
        if POSIXFile.isFolder(file) {
            throw UsageError("--output “\(path)” is a folder; use --dir to save into it")
        }
        // These paths may lead to a regular file, which the download would replace while the shell has it open.
        if ["/dev/stdout", "/dev/fd/1"].contains(path) {
            throw UsageError("--output “\(path)” is not a regular file; use “--output -” for standard output")
        }
        if POSIXFile.isSpecial(file) {
            throw UsageError("--output “\(path)” is not a regular file; use “--output - >\(path)” to write to it")
        }
    }

    private func complaint(_ clash: PathPlan.Clash) -> String {
        let pair = "\(URLText.shown(clash.first.url)) and \(URLText.shown(clash.second.url))"
        let wish =
            clash.isFolder
            ? "need “\(clash.path)” as a file and as a folder" : "would both be saved as “\(clash.path)”"
        let folders =
            foldersHelp(clash) ? "\(options.strip == nil ? "--dirs" : "a smaller --strip") to keep their folders, " : ""
        return "\(pair) \(wish); use \(folders)--rename to number them, or “out=” in a list to name one"
    }

    /// Whether the files would not collide if they kept all folders of their URLs.
    private func foldersHelp(_ clash: PathPlan.Clash) -> Bool {
        guard options.strip != 0 else { return false }
        let rule = PathRule(strip: 0)
        func keys(_ entry: ListEntry) -> [ByteText] { rule.wish(of: entry).map { ByteText($0) } }
        let (first, second) = (keys(clash.first), keys(clash.second))
        return !first.starts(with: second) && !second.starts(with: first)
    }
}

extension DownloadPlan.Portion {
    /// Adds all of another portion but its downloads.
    mutating func addRest(of other: Self) {
        bad += other.bad
        skipped += other.skipped
        folders.add(other.folders)
        groups.add(other.groups)
    }
}
