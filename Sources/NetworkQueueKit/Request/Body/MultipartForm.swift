import Foundation

/// A form with fields and files, encoded as web browsers do (`multipart/form-data`, RFC 7578 and the WHATWG HTML
/// standard).
///
/// Parts are sent in the order in which they were appended. Files are read while they are sent, but the total length is
/// known beforehand. Field names and file names are sent in UTF-8, with `"`, CR and LF as `%22`, `%0D` and `%0A`;
/// values are sent unchanged.
public struct MultipartForm: Sendable, Hashable {
    /// One field or file.
    struct Part: Sendable, Hashable {
        enum Content: Sendable, Hashable {
            case data(Data)
            case file(URL)
        }

        let name: String
        let fileName: String?
        let contentType: String?
        let content: Content

        static func == (left: Part, right: Part) -> Bool {
            left.name.equals(bytesOf: right.name) && left.fileName.equals(bytesOf: right.fileName)
                && left.contentType.equals(bytesOf: right.contentType) && left.content == right.content
        }
    }

    private(set) var parts: [Part] = []
    /// The separator between parts; random, so that it does not occur in their content.
    let boundary: String

    /// Creates an empty form.
    public init() {
        self.init(parts: [])
    }

    init(parts: [Part]) {
        self.parts = parts
        var generator = SystemRandomNumberGenerator()
        let words = (0..<3).map { _ in
            let digits = String(generator.next() as UInt64, radix: 36)
            return String(repeating: "0", count: 13 - digits.count) + digits
        }
        boundary = "NetworkQueueKit-" + words.joined()
    }

    /// The `Content-Type` of the form, including its boundary.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// Adds a field.
    public mutating func append(_ value: String, name: String) {
        parts.append(Part(name: name, fileName: nil, contentType: nil, content: .data(Data(value.utf8))))
    }

    /// Adds a part from bytes in memory.
    ///
    /// - Parameters:
    ///   - data: the content of the part.
    ///   - name: the field's name.
    ///   - fileName: the file name to send with the bytes. Default `nil`: no file name.
    ///   - contentType: the part's `Content-Type`. Default `nil`: derived from `fileName`, or none without a file name.
    public mutating func append(_ data: Data, name: String, fileName: String? = nil, contentType: String? = nil) {
        let contentType = contentType ?? fileName.map(MediaType.ofFile(named:))
        parts.append(Part(name: name, fileName: fileName, contentType: contentType, content: .data(data)))
    }

    /// Adds a file, which is opened only when its turn to be sent comes. ``RequestBody/file(_:)`` describes the errors.
    ///
    /// - Parameters:
    ///   - file: the file to send.
    ///   - name: the field's name.
    ///   - fileName: the file name to send. Default `nil`: the file's own name.
    ///   - contentType: the part's `Content-Type`. Default `nil`: derived from the file name.
    public mutating func append(file: URL, name: String, fileName: String? = nil, contentType: String? = nil) {
        let fileName = fileName ?? file.lastPathComponent
        parts.append(
            Part(
                name: name, fileName: fileName, contentType: contentType ?? MediaType.ofFile(named: fileName),
                content: .file(file)))
    }

    /// Compares the parts; the random boundaries are ignored.
    public static func == (left: MultipartForm, right: MultipartForm) -> Bool {
        left.parts == right.parts
    }

    /// Hashes the parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(parts)
    }
}
