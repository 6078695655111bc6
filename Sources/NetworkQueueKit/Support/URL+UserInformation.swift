import Foundation

extension URL {
    /// The URL without a name and password in it; `file:///` where Foundation does not take the rest for a URL.
    var withoutUserInformation: URL {
        guard mayHaveUserInformation else { return self }
        let text = absoluteString
        let rest = text.withoutUserInformation
        guard rest != text else { return self }
        return URL(string: rest, encodingInvalidCharacters: false) ?? URL(string: rest) ?? URL(filePath: "/")
    }

    /// The URL as a text to show: without name and password.
    var printable: String { withoutUserInformation.absoluteString }

    /// Whether it is worth the time to look for a name and a password.
    var mayHaveUserInformation: Bool {
        var text = absoluteString
        return text.withUTF8 { UnsafeRawBufferPointer($0).position(of: UInt8(ascii: "@")) != nil }
    }
}
