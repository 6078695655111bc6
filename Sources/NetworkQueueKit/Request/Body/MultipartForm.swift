import Foundation

/// A form with fields and files, as a web browser sends it (`multipart/form-data`, RFC 7578 and the WHATWG HTML
/// standard).
///
/// A value: parts are sent in the order in which they were appended. Files are read while they are sent; the length of
/// the whole is known beforehand. Names and file names are sent in UTF-8, with `"`, CR and LF as `%22`, `%0D` and
/// `%0A`; values are sent as they are.
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
    }

    private(set) var parts: [Part] = []
    /// What separates the parts: random, so that no content has it.
    let boundary: String

    /// Creates a form without parts.
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

    /// The `Content-Type` of the form, which tells its boundary.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// Adds a field.
    public mutating func append(_ value: String, name: String) {
        parts.append(Part(name: name, fileName: nil, contentType: nil, content: .data(Data(value.utf8))))
    }

    /// Adds bytes in memory.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - name: the field's name.
    ///   - fileName: the name of a file to send with the bytes; `nil`, the default, means none.
    ///   - contentType: the type; `nil`, the default, means what follows from the file name, and none without one.
    public mutating func append(_ data: Data, name: String, fileName: String? = nil, contentType: String? = nil) {
        let contentType = contentType ?? fileName.map(MediaType.ofFile(named:))
        parts.append(Part(name: name, fileName: fileName, contentType: contentType, content: .data(data)))
    }

    /// Adds a file. It is opened when it is its turn to be sent; see ``RequestBody/file(_:)`` for what may go wrong
    /// with it.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - name: the field's name.
    ///   - fileName: the name that the server sees; `nil`, the default, means the file's own.
    ///   - contentType: the type; `nil`, the default, means what follows from the file name.
    public mutating func append(file: URL, name: String, fileName: String? = nil, contentType: String? = nil) {
        let fileName = fileName ?? file.lastPathComponent
        parts.append(
            Part(
                name: name, fileName: fileName, contentType: contentType ?? MediaType.ofFile(named: fileName),
                content: .file(file)))
    }

    /// Forms are equal when their parts are: the boundary does not count.
    public static func == (left: MultipartForm, right: MultipartForm) -> Bool {
        left.parts == right.parts
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(parts)
    }
}
