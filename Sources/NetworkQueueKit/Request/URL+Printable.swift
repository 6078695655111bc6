import Foundation

extension URL {
    /// The URL as a text to show: without name and password, also where it is not one that could be asked for.
    var printable: String { withoutUserInformation.absoluteString.withoutUserInformation }
}
