/// A shell for which netqueue can generate completions.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// Parses the arguments of `netqueue completions`.
    init(tokens: [ArgumentScanner.Token]) throws(UsageError) {
        guard tokens.count == 1, case .operand(let name) = tokens[0], let shell = Shell(rawValue: name) else {
            throw UsageError("“netqueue completions” needs a shell: bash, zsh or fish")
        }
        self = shell
    }

    /// The completion script for the shell.
    var completions: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    private static var forms: [OptionForm] { Option.allCases.map(\.form) }
    private static var commandNames: [String] { Command.allCases.map(\.rawValue).filter { $0 != "download" } }

    /// The options whose value is a file.
    private static var takingFiles: [OptionForm] { forms.filter { ["FILE", "DIR"].contains($0.value) } }
    /// The options with another value, which only the user knows.
    private static var takingOthers: [OptionForm] {
        forms.filter { $0.value != nil && !["FILE", "DIR", "WHEN"].contains($0.value) }
    }

    private static func names(_ form: OptionForm) -> [String] {
        (form.short.map { ["-\($0)"] } ?? []) + ["--\(form.long)"]
    }

    private static func longOptions(of command: Command) -> String {
        Option.allCases.filter { $0.commands.contains(command) }.map { "--\($0.long)" }.joined(separator: " ")
    }

    private static var bashScript: String {
        let commands = Command.allCases.filter { $0 != .download }.map {
            "            \($0.rawValue)) options='\(longOptions(of: $0))'; break ;;"
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
            \(commands.joined(separator: "\n"))
                    esac
                done
                case ${COMP_WORDS[COMP_CWORD - 1]} in
                    --progress) _netqueue_replies -W "\(DisplayOptions.Mode.allCases.map(\.rawValue).joined(separator: " "))" -- "$word" ;;
                    \(takingFiles.flatMap(names).joined(separator: " | "))) _netqueue_replies -f -- "$word" ;;
                    \(takingOthers.flatMap(names).joined(separator: " | "))) COMPREPLY=() ;;
                    completions) _netqueue_replies -W "\(allCases.map(\.rawValue).joined(separator: " "))" -- "$word" ;;
                    *)
                        if [[ $word == -* ]]; then
                            _netqueue_replies -W "$options" -- "$word"
                        elif [[ $COMP_CWORD -eq 1 ]]; then
                            _netqueue_replies -W "\(commandNames.joined(separator: " "))" -- "$word"
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
        let options = forms.map { form in
            let help = form.help.replacing("'", with: "'\\''").replacing("[", with: "\\[").replacing("]", with: "\\]")
                .replacing(":", with: "\\:")
            let value = form.value.map { value in
                switch value {
                case "FILE", "DIR": ":\(value.lowercased()):_files"
                case "WHEN": ":when:(\(DisplayOptions.Mode.allCases.map(\.rawValue).joined(separator: " ")))"
                default: ":value:"
                }
            }
            return names(form).map { "    '*\($0)[\(help)]\(value ?? "")'" }.joined(separator: " \\\n")
        }
        return """
            #compdef netqueue
            # Completions of netqueue for zsh: netqueue completions zsh >"${fpath[1]}/_netqueue"
            _arguments \\
            \(options.joined(separator: " \\\n")) \\
                '1::command or URL:(\(commandNames.joined(separator: " ")))' \\
                '*:file:_files'

            """
    }

    private static var fishScript: String {
        let commands = Command.allCases.filter { $0 != .download }.map {
            "complete -c netqueue -n __fish_use_subcommand -a \($0.rawValue) -d '\(quoted($0.purpose))'"
        }
        let options = forms.map { form in
            var line = "complete -c netqueue -l \(form.long)"
            if let short = form.short { line += " -s \(short)" }
            switch form.value {
            case nil: break
            case "FILE", "DIR": line += " -r -F"
            case "WHEN": line += " -x -a '\(DisplayOptions.Mode.allCases.map(\.rawValue).joined(separator: " "))'"
            default: line += " -x"
            }
            return line + " -d '\(quoted(form.help))'"
        }
        return """
            # Completions of netqueue for fish: netqueue completions fish >~/.config/fish/completions/netqueue.fish
            \((commands + options).joined(separator: "\n"))
            complete -c netqueue -n '__fish_seen_subcommand_from completions' -x -a '\(allCases.map(\.rawValue).joined(separator: " "))'

            """
    }

    private static func quoted(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}
