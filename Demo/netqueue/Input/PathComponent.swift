import NetworkQueueKit

/// Makes names of files and folders out of parts of URLs.
enum PathComponent {
    /// The name for a part of a URL's path or for a host: harmless, as `URL.safeFileName` is.
    static func name(_ part: Substring) -> String {
        SafeFileName.name(ofSegment: part.utf8) ?? "_"
    }

    /// `name-2.ext` for `name.ext`.
    static func numbered(_ name: String, _ number: Int) -> String {
        let (stem, suffix) = SafeFileName.split(name)
        return "\(stem)-\(number)\(suffix)"
    }
}
