import NetworkQueueKit

extension DownloadOptions {
    /// Reads a command line.
    init(tokens: [ArgumentScanner.Token]) throws(UsageError) {
        for token in tokens {
            switch token {
            case .operand(let url): urls.append(url)
            case .option(let option, let value): try take(option, value)
            }
        }
        try check(tokens)
    }

    private mutating func take(_ option: Option, _ value: String) throws(UsageError) {
        switch option {
        case .output, .folder, .input, .dirs, .strip, .checksum, .shard: try takeFiles(option, value)
        case .update: existing = .update
        case .overwrite: existing = .overwrite
        case .keep: existing = .keep
        case .rename: existing = .rename
        case .header, .user, .netrc, .userAgent, .compressed, .proxy, .caFile, .certificate, .key, .connectTimeout:
            try takeHTTP(option, value)
        case .jobs: jobs = try OptionValue.number(value, of: option, in: 1...1000)
        case .perHost: perHost = try OptionValue.number(value, of: option, in: 1...1000)
        case .checkers: checkers = try OptionValue.number(value, of: option, in: 1...1000)
        case .sizing: usesSizing = false
        case .lifo: beginsWithLast = true
        case .failFast: failsFast = true
        case .limitRate: bytesPerSecond = try OptionValue.rate(value, of: option)
        case .timeout: timeout = try OptionValue.seconds(value, of: option, in: 0.001...86_400)
        case .retries: retries = try OptionValue.number(value, of: option, in: 0...1000)
        case .retryDelay: retryDelay = try OptionValue.seconds(value, of: option)
        case .failed: failedList = try OptionValue.text(value, of: option)
        case .files, .seconds: throw UsageError("--\(option.long) belongs to “netqueue demo”")
        case .progress, .quiet, .help, .version: try display.take(option, value)
        }
    }

    private mutating func takeFiles(_ option: Option, _ value: String) throws(UsageError) {
        let text = option.takesValue ? try OptionValue.text(value, of: option) : ""
        switch option {
        case .output: output = text == "-" ? .standardOutput : .file(text)
        case .folder: folder = text
        case .input: lists.append(text)
        case .dirs: strip = strip ?? 0
        case .strip: strip = try OptionValue.number(text, of: option, in: 0...100)
        case .shard: shard = try OptionValue.shard(text, of: option)
        default:
            guard let checksum = OptionValue.checksum(text) else {
                throw UsageError("--checksum is sha256: with 64 hexadecimal digits or md5: with 32, not “\(text)”")
            }
            self.checksum = checksum
        }
    }

    private mutating func takeHTTP(_ option: Option, _ value: String) throws(UsageError) {
        let text = option.takesValue ? try OptionValue.text(value, of: option) : ""
        switch option {
        case .header:
            // What it says may be a secret.
            guard let header = HeaderLine(text) else { throw UsageError("--header is a field such as “Name: value”") }
            headers.append(header)
        case .user: login = Login(text)
        case .netrc: usesNetrc = true
        case .userAgent: connection.userAgent = text
        case .compressed: acceptsCompressed = true
        case .proxy:
            guard let proxy = ConnectionOptions.proxy(text) else {
                throw UsageError("--proxy is a URL of http, https, socks4, socks4a, socks5 or socks5h with a host")
            }
            connection.proxy = proxy
        case .caFile: connection.trustedCertificates = text
        case .certificate: connection.certificate = text
        case .key: connection.key = text
        default: connection.connectTimeout = try OptionValue.seconds(text, of: option, in: 0.001...86_400)
        }
    }

    /// Finds what does not go together.
    private func check(_ tokens: [ArgumentScanner.Token]) throws(UsageError) {
        let options = tokens.compactMap { if case .option(let option, _) = $0 { option } else { nil } }
        let policies = Option.allCases.filter { $0.form.group == .there && options.contains($0) }
        if policies.count > 1 {
            throw UsageError("--\(policies[0].long) and --\(policies[1].long) do not go together")
        }
        if urls.isEmpty, lists.isEmpty { throw UsageError("no URL to download") }
        let isSingle = lists.isEmpty && Set(urls).count == 1
        if output != .folder, !isSingle {
            throw UsageError("--output is for one URL; --dir puts several below a folder, and a list may have “out=”")
        }
        if output != .folder, strip != nil { throw UsageError("--output and --dirs or --strip do not go together") }
        if checksum != nil, !isSingle { throw UsageError("--checksum is for one URL; a list may have “checksum=”") }
        if connection.key != nil, connection.certificate == nil {
            throw UsageError("--key is the key of a certificate, which --cert gives")
        }
        if case .file(let path) = output, path.hasSuffix("/") {
            throw UsageError("--output is a file, not the folder “\(path)”; --dir gives the folder")
        }
    }
}
