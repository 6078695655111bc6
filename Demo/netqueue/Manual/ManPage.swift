/// The manual page, in man(7) macros.
enum ManPage {
    static var text: String {
        var text = """
            .TH NETQUEUE 1 "" "netqueue \(HelpText.version)" "User Commands"
            .SH NAME
            netqueue \\- download and upload files in one queue, with one progress bar for all
            .SH SYNOPSIS

            """
        for command in Command.allCases { text += ".B \(escaped(command.synopsis))\n.br\n" }
        text += ".SH COMMANDS\n"
        for command in Command.allCases {
            text += ".TP\n.B \(escaped(command.synopsis))\n\(escaped(command.purpose))\n"
        }
        text += ".SH OPTIONS\n"
        for section in Option.sections {
            text += ".SS \"\(escaped(section.title))\"\n"
            for option in section.options {
                text += ".TP\n.B \(escaped(option.synopsis.trimmingPrefix { $0 == " " }))\n\(escaped(option.help))\n"
            }
        }
        for section in [
            HelpText.lists, HelpText.order, HelpText.checksums, HelpText.places, HelpText.dryRun, HelpText.commands,
            HelpText.uploads, HelpText.uploadLists, HelpText.machines, HelpText.json, HelpText.exitCodes, HelpText.keys,
            HelpText.output, HelpText.environment, HelpText.examples,
        ] {
            let lines = HelpText.wrapped(section).split(separator: "\n", omittingEmptySubsequences: false)
            text += ".SH \"\(lines[0].dropLast().uppercased())\"\n.nf\n"
            // The macros indent by seven columns, which takes the place of the help's two.
            text += lines.dropFirst().map { escaped($0.dropFirst(2)) + "\n" }.joined() + ".fi\n"
        }
        return text
    }

    /// The text with everything escaped that has a meaning in the macros: backslashes, hyphens, and a period or quote
    /// at the beginning.
    private static func escaped(_ text: some StringProtocol) -> String {
        let text = String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }
}
