import NetworkQueueKit

/// An option of the program. The parser, the help, the completions and the manual page follow from ``sections``.
struct Option: Sendable {
    /// A part of the help.
    struct Section: Sendable {
        let title: String
        let options: [Option]

        /// - Parameter commands: The commands that accept the options, except for those options that name their own.
        init(_ title: String, for commands: Set<Command>, _ options: [Option]) {
            self.title = title
            self.options = options.map { option in
                var option = option
                if option.commands.isEmpty { option.commands = commands }
                return option
            }
        }
    }

    /// The name after two hyphens.
    let long: String
    /// The letter after one hyphen.
    let short: Character?
    let value: OptionValue
    /// The commands that accept the option.
    private(set) var commands: Set<Command>
    /// The description for all commands, in one or two sentences.
    let help: String
    /// The descriptions in the help of single commands, where that of all would be wrong or too long.
    private let helpByCommand: [Set<Command>: String]

    init(
        _ long: String, short: Character? = nil, _ value: OptionValue, for commands: Set<Command> = [],
        _ help: String, in helpByCommand: [Set<Command>: String] = [:]
    ) {
        (self.long, self.short, self.value, self.commands) = (long, short, value, commands)
        (self.help, self.helpByCommand) = (help, helpByCommand)
    }

    static let all = sections.flatMap(\.options)

    func help(for command: Command) -> String { helpByCommand.first { $0.key.contains(command) }?.value ?? help }

    /// The option's spellings, such as `-o, --output FILE`.
    var synopsis: String {
        let value = value.isOptional ? "[=\(value.placeholder ?? "")]" : value.placeholder.map { " \($0)" } ?? ""
        return (short.map { "-\($0), " } ?? "    ") + "--\(long)" + value
    }

    /// Throws if a command does not accept the option.
    func check(for command: Command) throws(UsageError) {
        if commands.contains(command) { return }
        let own = command == .download ? "a download" : "“netqueue \(command.rawValue)”"
        let others = Command.allCases.filter(commands.contains).map {
            $0 == .download ? "downloads" : "“netqueue \($0.rawValue)”"
        }
        throw UsageError("--\(long) is not an option for \(own), but for \(others.joined(separator: " and "))")
    }

    /// The option with a long name. The error suggests a similar name if there is one.
    static func named(_ name: some StringProtocol) throws(UsageError) -> Option {
        if let option = all.first(where: { $0.long == name }) { return option }
        let near = all.map { (option: $0, distance: EditDistance.between(String(name), $0.long)) }
            .min { $0.distance < $1.distance }
        let isNear = near.map { $0.distance <= max(1, name.count / 3) && $0.distance < name.count } ?? false
        throw unknown("--\(name)", hint: isNear ? near.map { "did you mean “--\($0.option.long)”?" } : nil)
    }

    /// The option with a letter.
    static func named(_ letter: Character) throws(UsageError) -> Option {
        guard let option = all.first(where: { $0.short == letter }) else { throw unknown("-\(letter)", hint: nil) }
        return option
    }

    /// The error for an unknown option, with advice if there is any.
    private static func unknown(_ name: String, hint: String?) -> UsageError {
        UsageError("unknown option “\(name)”" + ((ForeignOption.hint(name) ?? hint).map { "; " + $0 } ?? ""))
    }
}
