import Foundation

extension RequestBody {
    /// A value encoded as JSON (`application/json`), with sorted keys so that equal values make equal bodies.
    ///
    /// - Throws: the error of the value or of `JSONEncoder`.
    public static func json(_ value: some Encodable) throws -> RequestBody {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try json(value, encoder: encoder)
    }

    /// A value encoded as JSON (`application/json`) by an encoder of your own.
    ///
    /// - Throws: the error of the value or of the encoder.
    public static func json(_ value: some Encodable, encoder: JSONEncoder) throws -> RequestBody {
        .data(try encoder.encode(value), contentType: "application/json")
    }

    /// Fields encoded as a web form (`application/x-www-form-urlencoded`), in the given order; names may repeat.
    public static func urlEncodedForm(_ fields: KeyValuePairs<String, String>) -> RequestBody {
        urlEncodedForm(fields.map { ($0.key, $0.value) })
    }

    /// Fields encoded as a web form (`application/x-www-form-urlencoded`), in the given order; names may repeat.
    public static func urlEncodedForm(_ fields: [(name: String, value: String)]) -> RequestBody {
        var bytes = Data()
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "&")) }
            bytes.appendFormEncoded(field.name)
            bytes.append(UInt8(ascii: "="))
            bytes.appendFormEncoded(field.value)
        }
        return .data(bytes, contentType: "application/x-www-form-urlencoded")
    }
}

extension Data {
    /// Appends text with the `application/x-www-form-urlencoded` serializer (WHATWG URL, section 5.2).
    fileprivate mutating func appendFormEncoded(_ text: String) {
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                append(byte)
            case UInt8(ascii: " "):
                append(UInt8(ascii: "+"))
            default:
                append(UInt8(ascii: "%"))
                append(digits[Int(byte >> 4)])
                append(digits[Int(byte & 15)])
            }
        }
    }
}
