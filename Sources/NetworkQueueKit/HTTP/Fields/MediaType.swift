import Foundation

/// The media types of common files by extension. They do not depend on the system's registered types.
enum MediaType {
    private static let types: [String: String] = [
        "7z": "application/x-7z-compressed", "aac": "audio/aac", "avif": "image/avif", "bmp": "image/bmp",
        "bz2": "application/x-bzip2", "css": "text/css", "csv": "text/csv",
        "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip", "flac": "audio/flac", "gif": "image/gif", "gz": "application/gzip",
        "heic": "image/heic", "heif": "image/heif", "htm": "text/html", "html": "text/html",
        "ico": "image/vnd.microsoft.icon", "ics": "text/calendar", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "js": "text/javascript", "json": "application/json", "m4a": "audio/mp4", "md": "text/markdown",
        "mjs": "text/javascript", "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4",
        "mpeg": "video/mpeg", "oga": "audio/ogg", "ogg": "audio/ogg", "ogv": "video/ogg", "opus": "audio/ogg",
        "otf": "font/otf", "pdf": "application/pdf", "png": "image/png",
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "rtf": "application/rtf", "svg": "image/svg+xml", "tar": "application/x-tar", "tif": "image/tiff",
        "tiff": "image/tiff", "ttf": "font/ttf", "txt": "text/plain", "wasm": "application/wasm",
        "wav": "audio/wav", "weba": "audio/webm", "webm": "video/webm", "webp": "image/webp", "woff": "font/woff",
        "woff2": "font/woff2", "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml",
        "yaml": "application/yaml", "yml": "application/yaml", "zip": "application/zip", "zst": "application/zstd",
    ]

    /// Returns the media type for a file name; `application/octet-stream` if the extension is unknown.
    static func ofFile(named name: String) -> String {
        let end = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).dropFirst().last
        return end.flatMap { types[$0.lowercasedText] } ?? "application/octet-stream"
    }
}

/// A media type or a media range (RFC 9110, section 12.5.1).
struct MediaRange: Sendable, Hashable {
    private let type: String
    private let subtype: String

    init(_ text: String) {
        let parts = Self.essence(of: text).split(
            separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        type = parts.first?.lowercasedText ?? ""
        subtype = parts.count > 1 ? parts[1].lowercasedText : "*"
    }

    /// The type and subtype in lower case.
    var text: String { "\(type)/\(subtype)" }

    /// Returns whether a `Content-Type` is in the range.
    func contains(_ contentType: String?) -> Bool {
        guard let contentType else { return type == "*" }
        let other = MediaRange(contentType)
        return (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }

    /// Returns the type and subtype without parameters.
    private static func essence(of text: String) -> [UInt8] {
        text.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }.filter { !$0.isFieldSpace }
    }
}
