/// A shell that netqueue has completions for.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// Reads what stands behind `netqueue completions`.
    init(tokens: [ArgumentScanner.Token]) throws(UsageError) {
        guard tokens.count == 1, case .operand(let name) = tokens[0], let shell = Shell(rawValue: name) else {
            throw UsageError("“netqueue completions” is followed by bash, zsh or fish")
        }
        self = shell
    }

    /// The script that the shell has to read.
    var completions: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    private static var forms: [OptionForm] { Option.allCases.map(\.form) }
    private static var commandNames: [String] { Command.allCases.map(\.rawValue).filter { $0 != "download" } }

    /// The options that a file follows.
    private static var takingFiles: [OptionForm] { forms.filter { ["FILE", "DIR"].contains($0.value) } }
    /// The options that something else follows, which only the user knows.
    private static var takingOthers: [OptionForm] {
        forms.filter { $0.value != nil && !["FILE", "DIR", "WHEN"].contains($0.value) }
    }

    private static func names(_ form: OptionForm) -> [String] {
        (form.short.map { ["-\($0)"] } ?? []) + ["--\(form.long)"]
    }

    private static var bashScript: String {
        """
        # Completions of netqueue for bash: netqueue completions bash >/etc/bash_completion.d/netqueue
        _netqueue() {
            local word=${COMP_WORDS[COMP_CWORD]}
            case ${COMP_WORDS[COMP_CWORD - 1]} in
                --progress) COMPREPLY=($(compgen -W "\(DisplayOptions.Mode.allCases.map(\.rawValue).joined(separator: " "))" -- "$word")) ;;
                \(takingFiles.flatMap(names).joined(separator: " | "))) COMPREPLY=($(compgen -f -- "$word")) ;;
                \(takingOthers.flatMap(names).joined(separator: " | "))) COMPREPLY=() ;;
                completions) COMPREPLY=($(compgen -W "\(allCases.map(\.rawValue).joined(separator: " "))" -- "$word")) ;;
                *)
                    if [[ $word == -* ]]; then
                        COMPREPLY=($(compgen -W "\(forms.map { "--\($0.long)" }.joined(separator: " "))" -- "$word"))
                    elif [[ $COMP_CWORD -eq 1 ]]; then
                        COMPREPLY=($(compgen -W "\(commandNames.joined(separator: " "))" -- "$word"))
                    else
                        COMPREPLY=($(compgen -f -- "$word"))
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
