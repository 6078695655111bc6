/// The spelling and description of an option, used for the help, the completions and the manual page.
struct OptionForm {
    /// The sections of the help.
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
    /// The letter after one hyphen.
    var short: Character?
    /// The placeholder of a required value; `nil` if the option takes none.
    var value: String?
    /// The placeholder of an optional value, given after an equals sign.
    var optionalValue: String?
    let group: Group
    /// The description, in one or two sentences.
    let help: String

    /// The option's spellings, such as `-o, --output FILE`.
    var synopsis: String {
        (short.map { "-\($0), " } ?? "    ") + "--\(long)" + (value.map { " \($0)" } ?? "")
            + (optionalValue.map { "[=\($0)]" } ?? "")
    }
}
