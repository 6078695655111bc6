import NetworkQueueKit

extension Options {
    /// The URL of an upload.
    var target: String { operands.last ?? "" }

    /// Whether a list comes from the standard input, which is read as it arrives.
    var readsListFromInput: Bool { lists.contains(Self.standardInput) }

    /// When to stop, and how long running transfers may go on then: no longer than a silent server is waited for.
    var stop: (after: Duration, grace: Duration)? { stopAfter.map { ($0, .seconds(timeout ?? 60)) } }

    /// The order of a list that is known completely.
    var listOrder: Order { beginsWithLast && !readsListFromInput ? .reverse : order }

    /// When to send a file that the server may have.
    var uploadCondition: NetworkRequest.UploadCondition {
        switch existing {
        case .update: .ifDifferent
        case .keep: .ifMissing
        case .check, .overwrite, .rename, .verify: .always
        }
    }

    /// Rejects missing operands and options that contradict each other.
    ///
    /// - Parameter given: The names of the options on the command line.
    func check(_ given: Set<String>) throws(UsageError) {
        if key != nil, certificate == nil { throw UsageError("--key requires --cert") }
        if cookies != nil, !keepsCookies { throw UsageError("--cookies and --no-cookies cannot be combined") }
        if isQuiet, isVerbose { throw UsageError("--quiet and --verbose cannot be combined") }
        if trustsLists, remoteLists.isEmpty {
            throw UsageError("--trust-list requires a list from a URL, as with -i URL")
        }
        if stopAfter != nil, isDryRun || existing == .verify {
            throw UsageError("--stop-after cannot be combined with --dry-run or --verify")
        }
        let policies = Option.existing.map(\.long).filter(given.contains)
        if policies.count > 1 { throw UsageError("--\(policies[0]) and --\(policies[1]) cannot be combined") }
        switch command {
        case .download: try checkDownload(given)
        case .upload: try checkUpload(given)
        case .sizes:
            if operands.isEmpty, lists.isEmpty { throw UsageError("no URL to size; give a URL or -i FILE") }
        case .clean:
            if operands.isEmpty { throw UsageError("no folder to clean; give DIR") }
            for folder in operands where !POSIXFile.isFolder(folder) {
                throw UsageError("“\(folder)” is not a folder")
            }
        case .status:
            if operands.isEmpty { throw UsageError("no status file; give FILE or DIR") }
        case .demo:
            if let operand = operands.first { throw UsageError("unexpected argument “\(operand)”") }
        case .completions, .man: break
        }
    }

    private func checkDownload(_ given: Set<String>) throws(UsageError) {
        let isOfSums = existing == .verify && !checksumLists.isEmpty
        if operands.isEmpty, lists.isEmpty, !isOfSums {
            throw UsageError(
                existing == .verify
                    ? "nothing to verify; give a URL, -i FILE or --checksums FILE"
                    : "no URL to download; give a URL or -i FILE")
        }
        if existing == .verify, output == .standardOutput || usesSuggestedNames {
            throw UsageError("--verify cannot be combined with --output - or --content-disposition")
        }
        if existing == .verify, refresh != nil { throw UsageError("--verify and --refresh cannot be combined") }
        if exec != nil, existing == .verify { throw UsageError("--verify and --exec cannot be combined") }
        if exec != nil, output == .standardOutput {
            throw UsageError("--output - and --exec cannot be combined: there is no file for the command")
        }
        if isDryRun, existing == .verify { throw UsageError("--dry-run and --verify cannot be combined") }
        if isDryRun, output == .standardOutput {
            throw UsageError("--dry-run and --output - cannot be combined: both write to standard output")
        }
        if existing == .verify, status != nil { throw UsageError("--verify and --status cannot be combined") }
        if given.contains("order"), beginsWithLast { throw UsageError("--order and --lifo cannot be combined") }
        if [.reverse, .random].contains(order), readsListFromInput {
            throw UsageError(
                "--order reverse and random need the whole list, but standard input is read as it arrives; give a file")
        }
        let isSingle = lists.isEmpty && Set(operands).count == 1
        if output != .folder, !isSingle {
            throw UsageError("--output takes a single URL; use --dir for several, or “out=” in a list")
        }
        if output != .folder, strip != nil { throw UsageError("--output cannot be combined with --dirs or --strip") }
        if usesSuggestedNames, output != .folder {
            throw UsageError("--output and --content-disposition cannot be combined")
        }
        if usesSuggestedNames, existing == .keep {
            throw UsageError(
                "--keep and --content-disposition cannot be combined: --keep does not ask the server for names")
        }
        if output == .standardOutput, writesJSON {
            throw UsageError("--json and --output - cannot be combined: both write to standard output")
        }
        if checksum != nil, !isSingle { throw UsageError("--checksum takes a single URL; use “checksum=” in a list") }
        if case .file(let path) = output, path.ends(withBytesOf: "/") {
            throw UsageError("--output must be a file, not the folder “\(path)”; use --dir to save into it")
        }
    }

    private func checkUpload(_ given: Set<String>) throws(UsageError) {
        let files = operands.dropLast()
        // A server could name any file of the user.
        if let list = remoteLists.first {
            throw UsageError("a list of files to upload must be a file; got “\(URLText.shown(list))”")
        }
        if operands.isEmpty { throw UsageError("no URL to upload to; give it last") }
        if files.isEmpty, lists.isEmpty, form.isEmpty {
            throw UsageError("no file to upload; give FILE, -i FILE or --form, and the URL last")
        }
        if !form.isEmpty, let first = files.first ?? lists.first {
            throw UsageError("“\(first)” is not part of the form; use --form NAME=@FILE")
        }
        for name in ["failed", "shard", "write-checksums"] where !form.isEmpty && given.contains(name) {
            throw UsageError("--\(name) is for files, not for a form")
        }
        if failedList != nil, failedList == sentChecksums {
            throw UsageError("--failed and --write-checksums need a file each")
        }
        if !makesFolders, !isRecursive { throw UsageError("--no-mkcol is for uploads with --recursive") }
        let isOfInput = files.contains(Self.standardInput)
        if isOfInput, lists.contains(Self.standardInput) {
            throw UsageError("standard input cannot be both a file and a list")
        }
        if !form.isEmpty, usesTus || uploadCondition != .always {
            throw UsageError("--form cannot be combined with --tus, --update or --keep")
        }
        if usesTus, uploadCondition != .always {
            throw UsageError("--tus cannot be combined with --update or --keep: its URLs are new for each upload")
        }
        if usesTus, isOfInput { throw UsageError("standard input cannot be sent by --tus, which needs a file") }
        // All files go to the URL at which uploads by tus are created.
        if usesTus { return }
        let isFolder = target.ends(withBytesOf: "/")
        if files.count > 1 || isRecursive || !lists.isEmpty, !isFolder {
            throw UsageError("several files need a URL that ends with /; got “\(URLText.shown(target))”")
        }
        if failedList != nil, !isFolder {
            throw UsageError("--failed needs a URL that ends with /, as -i does; got “\(URLText.shown(target))”")
        }
        if isOfInput, isFolder {
            throw UsageError("standard input needs a URL that ends with a name; got “\(URLText.shown(target))”")
        }
    }
}
