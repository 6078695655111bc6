import Foundation

extension RequestBody {
    /// A value as JSON (`application/json`), with sorted keys so that equal values make equal bodies.
    ///
    /// - Throws: what the value or `JSONEncoder` throws.
    public static func json(_ value: some Encodable) throws -> RequestBody {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try json(value, encoder: encoder)
    }

    /// A value as JSON (`application/json`), written by an encoder of your own.
    ///
    /// - Throws: what the value or the encoder throws.
    public static func json(_ value: some Encodable, encoder: JSONEncoder) throws -> RequestBody {
        .data(try encoder.encode(value), contentType: "application/json")
    }

    /// Names and values as a web form sends them (`application/x-www-form-urlencoded`), in the order given; a name may
    /// stand there more than once.
    public static func urlEncodedForm(_ fields: KeyValuePairs<String, String>) -> RequestBody {
        urlEncodedForm(fields.map { ($0.key, $0.value) })
    }

    /// Names and values as a web form sends them (`application/x-www-form-urlencoded`), in the order given; a name may
    /// stand there more than once.
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
    /// The serializer of the WHATWG URL standard, section 5.2.
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
