extension DownloadOptions {
    /// Reads a command line.
    init(tokens: [ArgumentScanner.Token]) throws(UsageError) {
        for token in tokens {
            switch token {
            case .operand(let url): source.urls.append(url)
            case .option(let option, let value):
                try option.check(for: .download)
                try take(option, value)
            }
        }
        try transfer.check()
        try check(tokens)
    }

    private mutating func take(_ option: Option, _ value: String) throws(UsageError) {
        switch option {
        case .output: output = value == "-" ? .standardOutput : .file(try OptionValue.text(value, of: option))
        case .folder: folder = try OptionValue.text(value, of: option)
        case .input, .shard: try source.take(option, value)
        case .dirs: strip = strip ?? 0
        case .strip: strip = try OptionValue.number(value, of: option, in: 0...100)
        case .contentDisposition: usesSuggestedNames = true
        case .checksum:
            guard let checksum = OptionValue.checksum(value) else {
                throw UsageError("--checksum is \(OptionValue.checksumForms), not “\(value)”")
            }
            self.checksum = checksum
        case .checksums: checksumLists.append(try OptionValue.text(value, of: option))
        case .update: existing = .update
        case .overwrite: existing = .overwrite
        case .keep: existing = .keep
        case .rename: existing = .rename
        case .verify: existing = .verify
        case .failed:
            if value == "-" { throw UsageError("--failed writes a file; the standard output has the summary") }
            failedList = try OptionValue.text(value, of: option)
        default: try transfer.take(option, value)
        }
    }

    /// Rejects options that contradict each other.
    private func check(_ tokens: [ArgumentScanner.Token]) throws(UsageError) {
        let options = tokens.compactMap { if case .option(let option, _) = $0 { option } else { nil } }
        let policies = Option.allCases.filter { $0.form.group == .there && options.contains($0) }
        if policies.count > 1 {
            throw UsageError("--\(policies[0].long) and --\(policies[1].long) do not go together")
        }
        let isOfSums = existing == .verify && !checksumLists.isEmpty
        if source.urls.isEmpty, source.lists.isEmpty, !isOfSums {
            throw UsageError(
                existing == .verify ? "nothing to verify; give URLs, -i FILE or --checksums FILE" : "no URL to download"
            )
        }
        if existing == .verify, source.urls.isEmpty, source.lists.isEmpty, failedList != nil {
            throw UsageError("--failed is a list of URLs, and --checksums has none; give URLs or -i FILE")
        }
        if existing == .verify, output == .standardOutput || usesSuggestedNames {
            throw UsageError(
                "--verify is for files whose names are known, without --output - and --content-disposition")
        }
        let isSingle = source.lists.isEmpty && Set(source.urls).count == 1
        if output != .folder, !isSingle {
            throw UsageError("--output is for one URL; --dir puts several below a folder, and a list may have “out=”")
        }
        if output != .folder, strip != nil { throw UsageError("--output and --dirs or --strip do not go together") }
        if usesSuggestedNames, output != .folder {
            throw UsageError("--output and --content-disposition do not go together")
        }
        if usesSuggestedNames, existing == .keep {
            throw UsageError("--keep asks no server, and --content-disposition has each say what its file is called")
        }
        if output == .standardOutput, transfer.display.writesJSON {
            throw UsageError("--json and the content cannot both go to the standard output")
        }
        if checksum != nil, !isSingle { throw UsageError("--checksum is for one URL; a list may have “checksum=”") }
        if case .file(let path) = output, path.hasSuffix("/") {
            throw UsageError("--output is a file, not the folder “\(path)”; --dir gives the folder")
        }
    }
}
