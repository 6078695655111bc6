/// The options that the program knows.
enum Option: String, CaseIterable {
    case output, jobs, checkers, input, overwrite, sizing, retries, retryDelay, files, seconds, progress, quiet, help,
        version

    /// The name after one hyphen.
    var short: Character? {
        switch self {
        case .output: "o"
        case .jobs: "j"
        case .input: "i"
        case .quiet: "q"
        case .help: "h"
        case .checkers, .overwrite, .sizing, .retries, .retryDelay, .files, .seconds, .progress, .version: nil
        }
    }

    /// The name after two hyphens.
    var long: String {
        switch self {
        case .sizing: "no-sizing"
        case .retryDelay: "retry-delay"
        default: rawValue
        }
    }

    /// Whether a value has to follow.
    var takesValue: Bool {
        switch self {
        case .output, .jobs, .checkers, .input, .retries, .retryDelay, .files, .seconds, .progress: true
        case .overwrite, .sizing, .quiet, .help, .version: false
        }
    }
}
