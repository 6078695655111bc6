import Dashboard
import Foundation
import NetworkQueueKit

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

    var credential: URLCredential { URLCredential(user: user, password: password ?? "", persistence: .forSession) }

    /// The same with a password, which is asked for at the terminal where it is missing.
    func completed() throws(UsageError) -> Login {
        guard password == nil else { return self }
        guard let typed = PasswordPrompt.ask("Password for \(user.withoutControls()): ") else {
            throw UsageError("--user “\(user)” has no password, and there is no terminal to ask for one")
        }
        return Login(user: user, password: typed)
    }
}
