import Foundation

/// The bytes of an earlier attempt that the next one may continue.
struct ResumePoint: Sendable {
    let part: PartFile
    var sidecar: Sidecar
    /// How many there are, at least one.
    let offset: Int64

    /// What there is for a request of `url`; `nil` when there is nothing that can be continued.
    ///
    /// - Throws: `.fileSystem` with `EMFILE` or `ENFILE`; nothing else.
    static func find(_ names: PartNames, url: String) throws(NetworkError) -> ResumePoint? {
        guard let part = try PartFile.existing(names) else { return nil }
        // Read only now: no other download changes it while this one has the part's lock.
        guard let sidecar = try Sidecar.read(names.info), sidecar.url.utf8.elementsEqual(url.utf8) else { return nil }
        let offset = sidecar.trustedLength(of: part.length)
        guard offset > 0, offset <= sidecar.total ?? .max else { return nil }
        return ResumePoint(part: part, sidecar: sidecar, offset: offset)
    }

    /// The fields that ask for the rest, provided that the resource is still the same (RFC 9110, section 13.1.5).
    func addRangeFields(to exchange: inout HTTPExchange) {
        exchange.headers["Range"] = "bytes=\(offset)-"
        exchange.headers["If-Range"] = sidecar.validator.fieldValue
    }

    /// Whether a 206 brings the rest of the same state of the resource, from here to the end, and nothing else.
    ///
    /// A server that does not say so plainly is not believed, since what it sends would be glued to other bytes.
    func isContinued(by head: ResponseHead) -> Bool {
        guard case .part(offset, let last, let total?) = ContentRange(head.headers["Content-Range"]),
            last == total - 1, sidecar.total ?? total == total
        else { return false }
        if let length = head.expectedContentLength, length != total - offset { return false }
        return sidecar.validator.matches(head.headers) && !head.headers.contains("Content-Encoding")
    }

    /// Whether a 416 means that nothing is missing.
    func isCompleted(by head: ResponseHead) -> Bool {
        guard case .unsatisfied(offset) = ContentRange(head.headers["Content-Range"]),
            sidecar.total ?? offset == offset
        else { return false }
        // A 416 need not have validators; but where it has, they must not be another's.
        let isSilent = !head.headers.contains("ETag") && !head.headers.contains("Last-Modified")
        return isSilent || sidecar.validator.matches(head.headers)
    }
}
