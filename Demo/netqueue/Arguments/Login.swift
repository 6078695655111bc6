import Foundation

/// A name and a password for servers that ask for them.
struct Login: Hashable, Sendable {
    let user: String
    /// `nil` where it is to be asked for.
    let password: String?

    /// Reads `USER:PASSWORD` or `USER`.
    init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        user = String(parts[0])
        password = parts.count == 2 ? String(parts[1]) : nil
    }

    init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// The same with a password, which is asked for at the terminal where it is missing.
    func completed() throws(UsageError) -> Login {
        guard password == nil else { return self }
        // From the terminal itself, without echo, wherever the standard streams lead; without one, getpass would read the
        // standard input.
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        if terminal >= 0 { close(terminal) }
        guard terminal >= 0, let typed = getpass("Password for \(user): ") else {
            throw UsageError("--user “\(user)” has no password, and there is no terminal to ask for one")
        }
        return Login(user: user, password: String(cString: typed))
    }
}
