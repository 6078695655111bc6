import Foundation

/// Compares content with what the response to a HEAD says of the server's; see ``NetworkRequest/UploadCondition-swift.enum``.
struct UploadCheck: Sendable {
    enum Verdict: Equatable, Sendable {
        /// The server has the content.
        case keep
        /// The server does not have it.
        case send
        /// The response does not tell.
        case sendUncompared
        /// The server has it if this is its digest.
        case hash(HashAlgorithm, digest: [UInt8])
    }

    let condition: NetworkRequest.UploadCondition
    let length: Int64
    /// Whether the content may be read an additional time.
    let isHashable: Bool
    /// The file with the content, if it is one.
    let file: URL?
    /// Whether a redirect has led to another path. A page to log in at exists, whatever was asked for.
    let isElsewhere: Bool

    /// Makes at most one system call.
    func verdict(on head: ResponseHead) -> Verdict {
        switch (condition, head.statusCode) {
        case (.always, _), (_, 404): .send
        case (.ifMissing, 200): isElsewhere ? .sendUncompared : .keep
        case (.ifDifferent, 200): comparison(with: head)
        case (.ifMissing, _), (.ifDifferent, _): .sendUncompared
        }
    }

    private func comparison(with head: ResponseHead) -> Verdict {
        guard ContentCoding.name(in: head.headers) == nil, let size = head.expectedContentLength else {
            return .sendUncompared
        }
        guard size == length else { return .send }
        if let (algorithm, digest) = head.contentDigest {
            return isHashable ? .hash(algorithm, digest: digest) : .sendUncompared
        }
        // Before the entity tag: a date takes no hashing, and a tag that differs says nothing.
        if let date = head.lastModified, let file, BodyFile.isUnchanged(file, since: date) { return .keep }
        if isHashable, let digest = head.entityTagDigest { return .hash(.md5, digest: digest) }
        return head.lastModified == nil || file == nil ? .sendUncompared : .send
    }
}

extension BodyFile {
    /// Whether a file has had its content, its name and its attributes since a date, which has whole seconds.
    fileprivate static func isUnchanged(_ file: URL, since date: Date) -> Bool {
        var status = stat()
        guard file.isFileURL, stat(file.path(percentEncoded: false), &status) == 0 else { return false }
        let seconds = Int(date.timeIntervalSince1970)
        // A file can change again within the second in which it was sent.
        return [status.modificationTime, status.changeTime].allSatisfy {
            $0.tv_sec < seconds || $0.tv_sec == seconds && $0.tv_nsec == 0
        }
    }
}

extension ResponseHead {
    /// The strongest digest of the content that the head gives in a known algorithm (RFC 9530; RFC 1864).
    fileprivate var contentDigest: (HashAlgorithm, [UInt8])? {
        var digests: [HashAlgorithm: [UInt8]] = [:]
        for item in headers.values(for: "Repr-Digest").joined(separator: ",").utf8.split(separator: UInt8(ascii: ",")) {
            // A dictionary of byte sequences: name=:base64:
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2, let algorithm = HashAlgorithm(fieldName: Substring(parts[0]).trimmed) else {
                continue
            }
            let text = Substring(parts[1]).trimmed
            guard text.hasPrefix(":"), let end = text.dropFirst().firstIndex(of: ":") else { continue }
            digests[algorithm] = Self.digest(String(text[..<end].dropFirst()), algorithm)
        }
        for algorithm in [HashAlgorithm.sha512, .sha256, .sha1, .md5] {
            if let digest = digests[algorithm] { return (algorithm, digest) }
        }
        return headers["Content-MD5"].flatMap { Self.digest(Substring($0).trimmed, .md5) }.map { (.md5, $0) }
    }

    private static func digest(_ base64: String, _ algorithm: HashAlgorithm) -> [UInt8]? {
        guard let data = Data(base64Encoded: base64), data.count == algorithm.digestLength else { return nil }
        return Array(data)
    }

    /// A strong entity tag that may be an MD5 digest, as object stores send it.
    fileprivate var entityTagDigest: [UInt8]? {
        guard let tag = headers["ETag"].map({ Substring($0).trimmed.utf8 }), tag.count == 34,
            tag.first == UInt8(ascii: "\""), tag.last == UInt8(ascii: "\"")
        else { return nil }
        return [UInt8](hexadecimal: tag.dropFirst().dropLast())
    }
}

extension HashAlgorithm {
    /// Finds an algorithm by its name in `Repr-Digest`.
    fileprivate init?(fieldName: String) {
        switch fieldName.utf8.lowercasedText {
        case "sha-512": self = .sha512
        case "sha-256": self = .sha256
        case "sha": self = .sha1
        case "md5": self = .md5
        default: return nil
        }
    }

    fileprivate var digestLength: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }
}

extension Substring {
    /// The text without blanks around it.
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

extension [UInt8] {
    /// Reads pairs of hexadecimal digits in either case; fails if there is anything else.
    fileprivate init?(hexadecimal digits: some Collection<UInt8>) {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        guard high == nil else { return nil }
        self = bytes
    }
}

extension ExchangeBody {
    /// Reads `range` of the content and returns its digest, or `nil` if nobody waits for it any more.
    func digest(
        _ algorithm: HashAlgorithm, of range: Range<Int64>, while isWanted: () -> Bool
    ) throws(NetworkError) -> [UInt8]? {
        var hash = algorithm.makeHash()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard isWanted() else { return nil }
            let rest = UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<Int(min(Int64(buffer.count), range.upperBound - offset))])
            do {
                let count = try read(into: rest, at: offset)
                guard count > 0 else { throw NetworkError(.bodyUnavailable) }
                hash.update(UnsafeRawBufferPointer(rebasing: rest[..<count]))
                offset += Int64(count)
            } catch {
                throw NetworkError(unavailable: error)
            }
        }
        return hash.finish()
    }
}
