import Foundation

extension JSONDecoder {
    /// Decodes the content of a response. An optional type is `nil` if there is no content, as with 204.
    func value<Value: Decodable>(_ type: Value.Type, of content: Data?) throws -> Value {
        guard let content, !content.isEmpty else {
            let absence = (type as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value
            return try absence ?? decode(type, from: Data())
        }
        return try decode(type, from: content)
    }
}
