import Foundation

extension URL {
    /// The URL without a name and password in it.
    var withoutUserInformation: URL {
        guard mayHaveUserInformation, user() != nil,
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        components.user = nil
        components.password = nil
        return components.url ?? self
    }

    /// Whether it is worth the time that it takes on Linux to look for a name and a password.
    var mayHaveUserInformation: Bool {
        var text = absoluteString
        return text.withUTF8 { UnsafeRawBufferPointer($0).position(of: UInt8(ascii: "@")) != nil }
    }
}
