/// The part of a content that a `Range` header asks for.
enum ByteRange: Equatable {
    /// The header is absent or not one that this server honors; the whole content is sent.
    case ignored
    /// A satisfiable, nonempty range.
    case part(Range<Int64>)
    /// A range that lies outside the content.
    case unsatisfiable

    /// Reads `bytes=a-b`, `bytes=a-` or `bytes=-n`. Several ranges and other units are ignored, as RFC 9110 allows.
    init(_ header: String?, size: Int64) {
        self = .ignored
        guard let header, header.lowercased().hasPrefix("bytes="), !header.contains(",") else { return }
        let bounds = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.filter { $0 != " " } }
        guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return
        }
        let (first, last) = (Int64(bounds[0]), Int64(bounds[1]))
        if let first {
            // A last position beyond Int64 is beyond the end of any content.
            let end = min(size, last.map { $0 < .max ? $0 + 1 : .max } ?? .max)
            if let last, last < first { return }
            self = first < size ? .part(first..<end) : .unsatisfiable
        } else if bounds[0].isEmpty, !bounds[1].isEmpty {
            let count = min(size, last ?? .max)
            self = count > 0 ? .part(size - count..<size) : .unsatisfiable
        } else if !bounds[0].isEmpty {
            self = .unsatisfiable
        }
    }
}
