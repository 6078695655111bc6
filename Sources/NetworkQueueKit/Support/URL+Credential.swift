import Foundation

extension URL {
    /// The name and the password in the URL.
    var credential: URLCredential? {
        guard mayHaveUserInformation, let user = user(percentEncoded: false) else {
            return nil
        }
        return URLCredential(user: user, password: password(percentEncoded: false) ?? "", persistence: .none)
    }
}
