/// The spelling and description of an option, used for the help, the completions and the manual page.
struct OptionForm {
    /// The sections of the help.
    enum Group: String, CaseIterable {
        case what = "Input and output"
        case there = "Existing files (one of these)"
        case http = "HTTP"
        case pace = "Limits and retries"
        case display = "Progress and logs"
        case upload = "Upload"
        case clean = "Partial downloads"
        case demo = "Demo"
        case other = "Other"
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
