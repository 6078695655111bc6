/// How the content of a message is sent, as its fields tell.
extension HTTPHeaders {
    /// The number that the fields called `Content-Length` agree on; `nil` without such a field, when one is not a number, when two
    /// differ, or when `Transfer-Encoding` overrules them.
    var contentLength: Int64? { framing.contentLength }

    /// What the fields say about where the content ends (RFC 9112, section 6.3), and whether it is coded.
    struct Framing {
        /// How many bytes all fields have together.
        let size: Int
        fileprivate(set) var hasContentLength = false
        fileprivate(set) var hasTransferEncoding = false
        fileprivate(set) var hasContentEncoding = false
        fileprivate var length: Int64?
        fileprivate var isSound = true

        /// See ``HTTPHeaders/contentLength``.
        var contentLength: Int64? { isSound && !hasTransferEncoding ? length : nil }
    }

    /// Found in one walk: every response is asked.
    var framing: Framing {
        var framing = Framing(size: size)
        forEachLine { bytes in
            let name: StaticString = "Content-Length"
            if bytes.isField("Transfer-Encoding") {
                framing.hasTransferEncoding = true
            } else if bytes.isField(name) {
                framing.hasContentLength = true
                framing.takeLength(Line(bytes: bytes, colon: name.utf8CodeUnitCount).valueBytes)
            } else if bytes.isField("Content-Encoding") {
                framing.hasContentEncoding = true
            }
            return true
        }
        return framing
    }
}

extension HTTPHeaders.Framing {
    /// Takes the value of a `Content-Length` field.
    ///
    /// RFC 9110, section 8.6: repeated identical values, also in one field, are one value.
    fileprivate mutating func takeLength(_ value: UnsafeRawBufferPointer) {
        var rest = value
        while isSound {
            let member = rest.prefix { $0 != UInt8(ascii: ",") }
            if !member.isEmpty {
                let number = Int64(digits: UnsafeRawBufferPointer(rebasing: member))
                if number == nil || length != nil && length != number { isSound = false }
                length = number
            }
            guard member.endIndex < rest.endIndex else { break }
            rest = UnsafeRawBufferPointer(rebasing: rest[(member.endIndex + 1)...])
        }
    }
}
