/// The commands of netqueue. The first operand names the command; without one, it is `download`.
enum Command: String, CaseIterable {
    case download, upload, sizes, status, clean, demo, completions, man

    /// The command's synopsis in the help.
    var synopsis: String {
        switch self {
        case .download: "netqueue [options] URL..."
        case .upload: "netqueue upload [options] FILE... URL"
        case .sizes: "netqueue sizes [options] URL..."
        case .status: "netqueue status FILE|DIR..."
        case .clean: "netqueue clean [--delete] DIR..."
        case .demo: "netqueue demo [options]"
        case .completions: "netqueue completions bash|zsh|fish"
        case .man: "netqueue man"
        }
    }

    /// The command's one-sentence description in the help.
    var purpose: String {
        switch self {
        case .download: "Download URLs, or the URLs listed in FILE (-i)."
        case .upload: "PUT files, below the URL if it ends with /; with --form, POST a form."
        case .sizes: "Print a table of sizes and their total; GET replaces a refused HEAD."
        case .status: "Draw one bar over the jobs of several machines that run with --status."
        case .clean: "List the partial downloads below DIR, or delete them."
        case .demo: "Watch netqueue work, with a built-in server."
        case .completions: "Print shell completions."
        case .man: "Print the manual page."
        }
    }
}
