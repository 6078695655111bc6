import Foundation
import NetworkQueueKit

/// Cookies in Netscape's format, as used by curl, wget and browser exports: one line per cookie, with seven fields
/// separated by tabs.
///
///     .example.com<TAB>TRUE<TAB>/<TAB>FALSE<TAB>1893456000<TAB>session<TAB>38afes7a8
///
/// The fields are the domain, whether hosts below it get the cookie, the path, whether the cookie is for https only,
/// its expiry in seconds since 1970 (0: the end of the session), the name and the value. Lines that start with `#` are
/// skipped, except for `#HttpOnly_` before a domain.
struct CookieFile {
    let cookies: [HTTPCookie]
    /// Warnings about skipped lines.
    let warnings: [String]

    /// Reads a file.
    init(path: String) throws(UsageError) {
        let content = try POSIXFile.readText(path, for: "--cookies:")
        try self.init(text: String(decoding: content, as: UTF8.self), name: path)
    }

    /// Parses a file's text. Invalid lines are skipped, as in curl.
    init(text: String, name: String) throws(UsageError) {
        var cookies: [HTTPCookie] = []
        var warnings: [String] = []
        for (index, line) in text.listLines.enumerated() {
            let mark = "#HttpOnly_"
            let isHTTPOnly = line.starts(withBytesOf: mark)
            let line = isHTTPOnly ? Substring(line.utf8.dropFirst(mark.utf8.count)) : line
            if line.utf8.first == UInt8(ascii: "#") || line.trimmedOfSpaces.isEmpty { continue }
            guard let cookie = Self.cookie(line, isHTTPOnly: isHTTPOnly) else {
                // Do not quote the line, which may be a secret.
                warnings.append("--cookies: \(name):\(index + 1) is not a cookie in the Netscape format")
                continue
            }
            cookies.append(cookie)
        }
        // Without any valid line, it is the wrong file.
        if cookies.isEmpty, let first = warnings.first { throw UsageError(first) }
        (self.cookies, self.warnings) = (cookies, warnings)
    }

    private static func cookie(_ line: Substring, isHTTPOnly: Bool) -> HTTPCookie? {
        let line = line.utf8.last == UInt8(ascii: "\r") ? Substring(line.utf8.dropLast()) : line
        let fields = line.parts(separatedBy: "\t").map(String.init)
        // Some programs omit the tab before an empty value.
        guard fields.count == 7 || fields.count == 6, !fields[0].isEmpty, !fields[5].isEmpty,
            let end = Double(fields[4]), end.isFinite
        else { return nil }
        let host = String(Substring(fields[0].utf8.drop { $0 == UInt8(ascii: ".") })).lowercased()
        var properties: [HTTPCookiePropertyKey: Any] = [
            .domain: fields[1].uppercased() == "TRUE" ? ".\(host)" : host, .path: fields[2], .name: fields[5],
            .value: fields.count == 7 ? fields[6] : "",
        ]
        if fields[3].uppercased() == "TRUE" { properties[.secure] = "TRUE" }
        if isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        if end > 0 {
            // Not every form of a date can hold a later one.
            properties[.expires] = Date(timeIntervalSince1970: min(end, 253_402_300_799))
        } else {
            properties[.discard] = "TRUE"
        }
        return HTTPCookie(properties: properties)
    }
}
