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
                throw UsageError("--checksum must be \(OptionValue.checksumForms); got “\(value)”")
            }
            self.checksum = checksum
        case .checksums: checksumLists.append(try OptionValue.text(value, of: option))
        case .update: existing = .update
        case .overwrite: existing = .overwrite
        case .keep: existing = .keep
        case .rename: existing = .rename
        case .verify: existing = .verify
        case .failed:
            if value == "-" { throw UsageError("--failed must be a file; standard output has the summary") }
            failedList = try OptionValue.text(value, of: option)
        default: try transfer.take(option, value)
        }
    }

    /// Rejects options that contradict each other.
    private func check(_ tokens: [ArgumentScanner.Token]) throws(UsageError) {
        let options = tokens.compactMap { if case .option(let option, _) = $0 { option } else { nil } }
        let policies = Option.allCases.filter { $0.form.group == .there && options.contains($0) }
        if policies.count > 1 {
            throw UsageError("--\(policies[0].long) and --\(policies[1].long) cannot be combined")
        }
        let isOfSums = existing == .verify && !checksumLists.isEmpty
        if source.urls.isEmpty, source.lists.isEmpty, !isOfSums {
            throw UsageError(
                existing == .verify
                    ? "nothing to verify; give a URL, -i FILE or --checksums FILE"
                    : "no URL to download; give a URL or -i FILE")
        }
        if existing == .verify, output == .standardOutput || usesSuggestedNames {
            throw UsageError(
                "--verify cannot be combined with --output - or --content-disposition")
        }
        let isSingle = source.lists.isEmpty && Set(source.urls).count == 1
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
        if output == .standardOutput, transfer.display.writesJSON {
            throw UsageError("--json and --output - cannot be combined: both write to standard output")
        }
        if checksum != nil, !isSingle { throw UsageError("--checksum takes a single URL; use “checksum=” in a list") }
        if case .file(let path) = output, path.ends(withBytesOf: "/") {
            throw UsageError("--output must be a file, not the folder “\(path)”; use --dir to save into it")
        }
    }
}
