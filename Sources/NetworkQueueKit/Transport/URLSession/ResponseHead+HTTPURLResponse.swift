import Foundation

extension ResponseHead {
    /// The head of a session's response. Foundation has lost the order of the fields and joined those with the same
    /// name.
    init(_ response: HTTPURLResponse, url: URL) {
        var headers = HTTPHeaders()
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { ($0, value as? String ?? "\(value)") }
        }
        for (name, value) in fields.sorted(by: { $0.0 < $1.0 }) {
            // The only field that may occur more than once and cannot be joined (RFC 6265, section 3).
            let values = name.lowercased() == "set-cookie" ? SetCookie.separated(value) : [value]
            for value in values { headers.append(name: name, value: value) }
        }
        self.init(statusCode: response.statusCode, headers: headers, url: url)
    }
}

extension SetCookie {
    /// Splits `Set-Cookie` fields that Foundation has joined with commas.
    ///
    /// A comma separates two fields if a name and an equals sign follow it. A date never has that after a comma, nor
    /// does a value without an equals sign. Quoted text is kept together.
    static func separated(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        var fields: [String] = []
        var start = 0
        var isQuoted = false
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard bytes[index] == UInt8(ascii: ","), !isQuoted else { continue }
            let next = bytes[(index + 1)...].drop(while: \.isFieldSpace)
            let name = next.prefix(while: \.isTokenCharacter)
            guard !name.isEmpty, next.dropFirst(name.count).first == UInt8(ascii: "=") else { continue }
            fields.append(String(decoding: bytes[start..<index], as: UTF8.self))
            start = next.startIndex
        }
        fields.append(String(decoding: bytes[start...], as: UTF8.self))
        return fields
    }
}
