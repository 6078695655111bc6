import Foundation

extension URL {
    /// The URL without a name and password in it.
    var withoutUserInformation: URL {
        guard absoluteString.utf8.contains(UInt8(ascii: "@")), user() != nil,
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        components.user = nil
        components.password = nil
        return components.url ?? self
    }
}
