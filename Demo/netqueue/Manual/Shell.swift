/// A shell for which netqueue can generate completions.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// The completion script for the shell.
    var completions: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    private static var commands: [Command] { Command.allCases.filter { $0 != .download } }
    private static let commandNames = joined(commands.map(\.rawValue))
    private static let shellNames = joined(allCases.map(\.rawValue))

    private static func joined(_ words: [String], by separator: String = " ") -> String {
        words.joined(separator: separator)
    }

    private static func names(_ option: Option) -> [String] {
        (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.long)"]
    }

    /// The alternatives of a `case` in bash that are the options with some kind of value.
    private static func pattern(_ isMatching: (Option) -> Bool) -> String {
        joined(Option.all.filter { $0.value.isRequired && isMatching($0) }.flatMap(names), by: " | ")
    }

    private static func longOptions(of command: Command) -> String {
        joined(Option.all.filter { $0.commands.contains(command) }.map { "--\($0.long)" })
    }

    private static var bashScript: String {
        let commands = commands.map {
            "            \($0.rawValue)) options='\(longOptions(of: $0))'; break ;;"
        }
        let words = Option.all.filter { !$0.value.words.isEmpty }.map { option in
            "        \(joined(names(option), by: " | "))) _netqueue_replies -W \"\(joined(option.value.words))\" -- \"$word\" ;;"
        }
        return """
            # Completions of netqueue for bash: netqueue completions bash >/etc/bash_completion.d/netqueue
            _netqueue_replies() {
                local line
                COMPREPLY=()
                # A name may have spaces. The bash of macOS has no mapfile.
                while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@")
            }
            _netqueue() {
                local word=${COMP_WORDS[COMP_CWORD]} each
                local options='\(longOptions(of: .download))'
                for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    case $each in
            \(joined(commands, by: "\n"))
                    esac
                done
                case ${COMP_WORDS[COMP_CWORD - 1]} in
            \(joined(words, by: "\n"))
                    \(pattern { $0.value.isPath })) _netqueue_replies -f -- "$word" ;;
                    \(pattern { !$0.value.isPath && $0.value.words.isEmpty })) COMPREPLY=() ;;
                    completions) _netqueue_replies -W "\(shellNames)" -- "$word" ;;
                    *)
                        if [[ $word == -* ]]; then
                            _netqueue_replies -W "$options" -- "$word"
                        elif [[ $COMP_CWORD -eq 1 ]]; then
                            _netqueue_replies -W "\(commandNames)" -- "$word"
                        else
                            _netqueue_replies -f -- "$word"
                        fi
                        ;;
                esac
            }
            complete -o filenames -F _netqueue netqueue

            """
    }

    private static var zshScript: String {
        let options = Option.all.map { option in
            let help = option.help.replacing("'", with: "'\\''").replacing("[", with: "\\[")
                .replacing("]", with: "\\]").replacing(":", with: "\\:")
            let value =
                switch option.value {
                case let value where !value.isRequired: ""
                case let value where value.isPath: ":\(value.placeholder?.lowercased() ?? ""):_files"
                case let value where !value.words.isEmpty:
                    ":\(value.placeholder?.lowercased() ?? ""):(\(joined(value.words)))"
                default: ":value:"
                }
            return joined(names(option).map { "    '*\($0)[\(help)]\(value)'" }, by: " \\\n")
        }
        return """
            #compdef netqueue
            # Completions of netqueue for zsh: netqueue completions zsh >"${fpath[1]}/_netqueue"
            _arguments \\
            \(joined(options, by: " \\\n")) \\
                '1::command or URL:(\(commandNames))' \\
                '*:file:_files'

            """
    }

    private static var fishScript: String {
        let commands = commands.map {
            "complete -c netqueue -n __fish_use_subcommand -a \($0.rawValue) -d '\(quoted($0.purpose))'"
        }
        let options = Option.all.map { option in
            let short = option.short.map { " -s \($0)" } ?? ""
            let value =
                switch option.value {
                case let value where !value.isRequired: ""
                case let value where value.isPath: " -r -F"
                case let value where !value.words.isEmpty: " -x -a '\(joined(value.words))'"
                default: " -x"
                }
            return "complete -c netqueue -l \(option.long)\(short)\(value) -d '\(quoted(option.help))'"
        }
        return """
            # Completions of netqueue for fish: netqueue completions fish >~/.config/fish/completions/netqueue.fish
            \(joined(commands + options, by: "\n"))
            complete -c netqueue -n '__fish_seen_subcommand_from completions' -x -a '\(shellNames)'

            """
    }

    private static func quoted(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}
