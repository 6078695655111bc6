import Foundation

/// Makes names of files out of parts of URLs.
enum PathComponent {
    /// Longer names are cut: most file systems take 255 bytes, and a number may have to be added.
    static let longestName = 240

    /// The name for a part of a URL's path, percent-decoded and harmless: no slash, no control character, not empty, not
    /// too long. `.` and `..` are left for the caller, because they are not names.
    static func name(_ part: Substring) -> String {
        // What is not UTF-8 stays encoded.
        let decoded = part.removingPercentEncoding ?? String(part)
        let scalars = decoded.unicodeScalars.map { scalar in
            let isForbidden = scalar == "/" || scalar.properties.generalCategory == .control
            return isForbidden ? "_" : Character(scalar)
        }
        let name = String(scalars)
        return name.isEmpty ? "_" : shortened(name)
    }

    /// `name-2.ext` for `name.ext`.
    static func numbered(_ name: String, _ number: Int) -> String {
        let (stem, suffix) = split(name)
        return "\(stem)-\(number)\(suffix)"
    }

    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > longestName else { return name }
        let (stem, suffix) = split(name)
        let kept = suffix.utf8.count <= 20 ? suffix : ""
        var short = kept.isEmpty ? name : stem
        while short.utf8.count + kept.utf8.count > longestName { short.removeLast() }
        return short + kept
    }

    /// The name and its extension with the dot. A dot at the beginning makes no extension.
    private static func split(_ name: String) -> (stem: String, suffix: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name.index(after: dot) != name.endIndex else {
            return (name, "")
        }
        return (String(name[..<dot]), String(name[dot...]))
    }
}
