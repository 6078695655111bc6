/// Which URLs a command is about.
struct SourceOptions: Hashable, Sendable {
    /// A part of a list.
    struct Shard: Hashable, Sendable {
        /// From 1 to `count`.
        var number: Int
        var count: Int
    }

    /// What to say where there is nothing to do.
    func emptyText(_ verb: String) -> String {
        shard.map { "Nothing in shard \($0.number)/\($0.count).\n" } ?? "Nothing to \(verb): no list has a URL.\n"
    }

    var urls: [String] = []
    /// What stands for the standard input among the lists.
    static let standardInput = "-"

    /// Files with one URL a line.
    var lists: [String] = []
    var shard: Shard?

    /// Takes an option.
    mutating func take(_ option: Option, _ value: String) throws(UsageError) {
        if option == .input { lists.append(try OptionValue.text(value, of: option)) }
        if option == .shard { shard = try OptionValue.shard(value, of: option) }
    }
}
