/// The commands of netqueue. The first operand names the command; without one, it is `download`.
enum Command: String, CaseIterable {
    case download, upload, sizes, clean, demo, completions, man

    /// The command's synopsis in the help.
    var synopsis: String {
        switch self {
        case .download: "netqueue [options] URL..."
        case .upload: "netqueue upload [options] FILE... URL"
        case .sizes: "netqueue sizes [options] URL..."
        case .clean: "netqueue clean [--delete] DIR..."
        case .demo: "netqueue demo [options]"
        case .completions: "netqueue completions bash|zsh|fish"
        case .man: "netqueue man"
        }
    }

    /// The command's one-sentence description in the help.
    var purpose: String {
        switch self {
        case .download: "Download these, or with -i FILE what a list has."
        case .upload: "PUT files, below a URL that ends with /; with --form POST a form."
        case .sizes: "Ask for sizes alone, by GET where HEAD is refused: a table and the total."
        case .clean: "List the parts of unfinished downloads below DIR, or remove them."
        case .demo: "Watch it work, with a server of its own."
        case .completions: "Print completions for a shell."
        case .man: "Print the manual page."
        }
    }
}
