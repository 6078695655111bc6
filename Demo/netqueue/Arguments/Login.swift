import Dashboard
import Foundation
import NetworkQueueKit

/// A user name and password for servers that require authentication.
struct Login: Hashable, Sendable {
    let user: String
    /// `nil` if the user must be asked for it.
    let password: String?

    /// Reads `USER:PASSWORD` or `USER`.
    init(_ text: String) {
        let parts = text.parts(separatedBy: ":", maxSplits: 1)
        user = String(parts[0])
        password = parts.count == 2 ? String(parts[1]) : nil
    }

    init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    var credential: URLCredential { URLCredential(user: user, password: password ?? "", persistence: .forSession) }

    /// The login with its password; asks for a missing one at the terminal.
    func completed() throws(UsageError) -> Login {
        guard password == nil else { return self }
        guard let typed = PasswordPrompt.ask("Password for \(user.withoutControls()): ") else {
            throw UsageError("--user “\(user)” has no password, and there is no terminal to ask for it")
        }
        return Login(user: user, password: typed)
    }
}
