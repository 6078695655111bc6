/// The options of `netqueue sizes URL…`.
struct SizesOptions: Hashable, Sendable {
    var source = SourceOptions()
    var transfer = TransferOptions()

    /// Reads a command line.
    init(tokens: [ArgumentScanner.Token]) throws(UsageError) {
        for token in tokens {
            switch token {
            case .operand(let url): source.urls.append(url)
            case .option(let option, let value):
                try option.check(for: .sizes)
                if option == .input || option == .shard {
                    try source.take(option, value)
                } else {
                    try transfer.take(option, value)
                }
            }
        }
        try transfer.check()
        if source.urls.isEmpty, source.lists.isEmpty { throw UsageError("no URL to size; give a URL or -i FILE") }
    }
}
