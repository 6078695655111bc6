/// Builds the bytes of a status line and header fields.
struct ResponseHeadWriter {
    private(set) var status: Int
    private var reason: String?
    private var fields: [UInt8] = []

    init(status: Int, reason: String?, headers: ReceivedHeaders) {
        self.status = status
        self.reason = reason
        fields.reserveCapacity(256)
        for field in headers { add(field.name, field.value) }
    }

    /// Changes the status and uses its registered reason phrase.
    mutating func become(_ status: Int) {
        self.status = status
        reason = nil
    }

    mutating func add(_ name: String, _ value: String) {
        fields.append(contentsOf: name.utf8)
        fields.append(contentsOf: ": ".utf8)
        fields.append(contentsOf: value.utf8)
        fields.append(contentsOf: "\r\n".utf8)
    }

    /// The complete head, with the empty line that ends it.
    var bytes: [UInt8] {
        var bytes = Array("HTTP/1.1 \(status) \(reason ?? StatusPhrase.of(status))\r\n".utf8)
        bytes.append(contentsOf: fields)
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }
}
