/// The options of `netqueue clean DIR`.
struct CleanOptions: Hashable, Sendable {
    var folders: [String] = []
    /// Whether to remove the parts, not just list them.
    var deletes = false

    /// Reads a command line.
    init(tokens: [ArgumentScanner.Token]) throws(UsageError) {
        for token in tokens {
            switch token {
            case .operand(let folder): folders.append(folder)
            case .option(let option, _):
                try option.check(for: .clean)
                deletes = true
            }
        }
        if folders.isEmpty { throw UsageError("no folder to clean; give DIR") }
        for folder in folders where !SystemFile.isFolder(folder) { throw UsageError("“\(folder)” is not a folder") }
    }
}
