import Foundation

/// A form in the format in which it is sent: part headers and values in memory, files from disk, one of them open at a
/// time.
final class MultipartBody: PreparedBody {
    private struct Segment {
        /// The offset of the segment in the whole form.
        let start: Int64
        let body: any ExchangeBody
    }

    /// The largest value that is copied, so that it is read in one piece with what surrounds it.
    private static let largestCopy = 4096

    let length: Int64
    private let segments: [Segment]
    /// The index of the segment that was read last.
    private let latest = Guarded(0)

    /// Measures the files of a form.
    ///
    /// - Throws: the errors of ``BodyFile``, and `.malformedRequest` for a content type that is not a valid field
    ///   value.
    init(_ form: MultipartForm) throws {
        var segments: [Segment] = []
        var length: Int64 = 0
        var pending = Data()
        func append(_ body: any ExchangeBody) throws {
            guard body.length > 0 else { return }
            segments.append(Segment(start: length, body: body))
            // Files with holes may be larger together than any content.
            let (sum, overflow) = length.addingReportingOverflow(body.length)
            if overflow { throw NetworkError(.bodyUnavailable, underlying: POSIXError(.EFBIG)) }
            length = sum
        }
        func append(behindPending body: any ExchangeBody) throws {
            try append(DataBody(data: pending))
            pending = Data()
            try append(body)
        }
        for part in form.parts {
            if part.contentType?.utf8.contains(where: \.isForbiddenInValue) == true {
                let text = "The content type of form field “\(part.name)” contains a line break or a NUL byte."
                throw NetworkError(
                    .malformedRequest, underlying: URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: text]))
            }
            pending.append(part.head(boundary: form.boundary))
            switch part.content {
            case .data(let data) where data.count <= Self.largestCopy: pending.append(data)
            case .data(let data): try append(behindPending: DataBody(data: data))
            case .file(let url): try append(behindPending: FileBody(try BodyFile(url)))
            }
            pending.append(Self.partEnd)
        }
        pending.append(Self.end(boundary: form.boundary))
        try append(DataBody(data: pending))
        self.segments = segments
        self.length = length
    }

    /// The current length of a form, for an estimate; `nil` if it cannot be determined.
    static func currentLength(of form: MultipartForm) -> Int64? {
        var length = Int64(end(boundary: form.boundary).count)
        for part in form.parts {
            length = length.addingSaturated(Int64(part.head(boundary: form.boundary).count + partEnd.count))
            switch part.content {
            case .data(let data): length = length.addingSaturated(Int64(data.count))
            case .file(let url):
                guard let size = BodyFile.currentLength(of: url) else { return nil }
                length = length.addingSaturated(size)
            }
        }
        return length
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset < length else { return 0 }
        let number = segment(at: offset)
        let former = latest.withLock { latest in
            defer { latest = number }
            return latest
        }
        if former != number { close(former) }
        let segment = segments[number]
        return try segment.body.read(into: buffer, at: offset - segment.start)
    }

    func close() {
        close(latest.withLock { $0 })
    }

    private func close(_ number: Int) {
        (segments[number].body as? any PreparedBody)?.close()
    }

    /// The index of the last segment that starts at or before `offset`.
    private func segment(at offset: Int64) -> Int {
        var low = 0
        var high = segments.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if segments[middle].start <= offset { low = middle } else { high = middle }
        }
        return low
    }

    static let partEnd = Data("\r\n".utf8)

    static func end(boundary: String) -> Data { Data("--\(boundary)--\r\n".utf8) }
}

extension MultipartForm.Part {
    /// The text before the content of the part.
    func head(boundary: String) -> Data {
        var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quotable(name))\""
        if let fileName { text += "; filename=\"\(Self.quotable(fileName))\"" }
        if let contentType { text += "\r\nContent-Type: \(contentType)" }
        return Data((text + "\r\n\r\n").utf8)
    }

    /// Escapes a name (WHATWG HTML standard, section 4.10.21.8).
    private static func quotable(_ text: String) -> String {
        // Work on bytes, because CR LF is a single `Character`.
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes.append(contentsOf: "%22".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "%0D".utf8)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "%0A".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
