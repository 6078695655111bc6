/// How an option is written, and what it does: what the help, the completions and the manual page are made of.
struct OptionForm {
    /// Where an option stands in the help.
    enum Group: String, CaseIterable {
        case what = "What to fetch, and where to"
        case there = "What becomes of files that are there already (one of these)"
        case http = "How to ask for it"
        case pace = "How many, how fast, how often"
        case display = "What to show"
        case upload = "What to send"
        case clean = "What to do with the parts"
        case demo = "The demo"
        case other = "Else"
    }

    /// The name after two hyphens.
    let long: String
    /// The name after one hyphen.
    var short: Character?
    /// What to call the value that has to follow; `nil` when there is none.
    var value: String?
    /// What to call a value that may be given behind an equals sign.
    var optionalValue: String?
    let group: Group
    /// One or two sentences.
    let help: String

    /// `-o, --output FILE`
    var synopsis: String {
        (short.map { "-\($0), " } ?? "    ") + "--\(long)" + (value.map { " \($0)" } ?? "")
            + (optionalValue.map { "[=\($0)]" } ?? "")
    }
}
