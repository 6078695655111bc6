import Foundation

func format(_ format: String, _ value: Double) -> String {
    String(format: format, value)
}

extension Encodable {
    /// One line of JSON with the keys in order.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension String {
    func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self
    }
}
