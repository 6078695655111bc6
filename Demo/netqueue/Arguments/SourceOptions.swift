/// The options that select the URLs.
struct SourceOptions: Hashable, Sendable {
    /// One of several disjoint parts of the lists.
    struct Shard: Hashable, Sendable {
        /// From 1 to `count`.
        var number: Int
        var count: Int
    }

    /// The message if there is nothing to do.
    func emptyText(_ verb: String) -> String {
        shard.map { "Nothing in shard \($0.number)/\($0.count).\n" } ?? "Nothing to \(verb): no list contains a URL.\n"
    }

    var urls: [String] = []
    /// The path that stands for the standard input among the lists.
    static let standardInput = "-"

    /// The paths of lists, which have one URL per line.
    var lists: [String] = []
    var shard: Shard?

    /// Applies an option.
    mutating func take(_ option: Option, _ value: String) throws(UsageError) {
        if option == .input { lists.append(try OptionValue.text(value, of: option)) }
        if option == .shard { shard = try OptionValue.shard(value, of: option) }
    }
}
