extension HTTPHeaders {
    /// A buffer that collects received field lines in the stored form. It is reused for one response after another.
    final class ReceivedLines {
        /// Large enough for most heads.
        private static let usualCapacity = 1024
        /// Larger buffers are released after the response, since such heads are exceptional.
        private static let largestKeptCapacity = 16 * 1024

        // Not an array, which would check bounds and uniqueness for each line.
        private var room = UnsafeMutableRawBufferPointer.allocate(byteCount: usualCapacity, alignment: 1)
        private var count = 0

        deinit { room.deallocate() }

        var isEmpty: Bool { count == 0 }

        /// The size of the buffer in bytes.
        var capacity: Int { room.count }

        /// Removes the lines of the previous response.
        func removeAll() {
            count = 0
            if room.count > Self.largestKeptCapacity { setCapacity(Self.usualCapacity) }
        }

        /// Appends a line such as `Name: value\r\n`.
        ///
        /// A line without a colon is ignored. A line that begins with white space continues the previous value (RFC
        /// 9112, section 5.2).
        func append(_ line: UnsafeRawBufferPointer) {
            guard let first = line.first else { return }
            // A stored line is at most one byte longer, for a missing line feed.
            if room.count - count <= line.count { setCapacity(2 * (count + line.count + 1)) }
            var start = count
            if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
                // Continue the previous value, if there is one.
                guard count > 0 else { return }
                count -= 1
                start = count
                if room[count - 1] != UInt8(ascii: ":") { put(UInt8(ascii: " ")) }
                put(line.trimmed)
            } else {
                guard let colon = line.position(of: UInt8(ascii: ":")) else { return }
                put(UnsafeRawBufferPointer(rebasing: line[..<colon]).trimmed)
                put(UInt8(ascii: ":"))
                put(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).trimmed)
            }
            // A line is stored as one field, even if it contains line feeds.
            UnsafeMutableRawBufferPointer(rebasing: room[start..<count])
                .replaceAll(UInt8(ascii: "\n"), with: UInt8(ascii: " "))
            put(UInt8(ascii: "\n"))
        }

        /// Creates the header fields with a single allocation, since this runs for every response.
        func makeHeaders() -> HTTPHeaders {
            let stored = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
            // These bytes would end the line or the text for some readers.
            stored.replaceAll(UInt8(ascii: "\r"), with: UInt8(ascii: " "))
            stored.replaceAll(0, with: UInt8(ascii: " "))
            return HTTPHeaders(storedLines: UnsafeRawBufferPointer(stored))
        }

        private func put(_ bytes: UnsafeRawBufferPointer) {
            UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: bytes)
            count += bytes.count
        }

        private func put(_ byte: UInt8) {
            room[count] = byte
            count += 1
        }

        private func setCapacity(_ capacity: Int) {
            let former = room
            room = .allocate(byteCount: capacity, alignment: 1)
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: former[..<count]))
            former.deallocate()
        }
    }
}

/// The message framing that the fields describe.
extension HTTPHeaders {
    /// The number that all `Content-Length` fields agree on. `nil` without such a field, if a value is not a number, if
    /// two differ, or if `Transfer-Encoding` overrides them.
    var contentLength: Int64? { framing.contentLength }

    /// The fields that determine where the content ends (RFC 9112, section 6.3), whether it has a content coding, and
    /// whether the response mentions a quota.
    struct Framing {
        /// The size of all fields in bytes.
        let size: Int
        fileprivate(set) var hasContentLength = false
        fileprivate(set) var hasTransferEncoding = false
        fileprivate(set) var hasContentEncoding = false
        fileprivate(set) var hasContentRange = false
        fileprivate(set) var hasQuota = false
        fileprivate var length: Int64?
        fileprivate var isSound = true

        /// The length of the content; see ``HTTPHeaders/contentLength``.
        var contentLength: Int64? { isSound && !hasTransferEncoding ? length : nil }
    }

    /// Computed in one pass, since this runs for every response.
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
            } else if bytes.isField("Content-Range") {
                framing.hasContentRange = true
            } else if bytes.isQuotaField {
                framing.hasQuota = true
            }
            return true
        }
        return framing
    }
}

extension HTTPHeaders.Framing {
    /// Applies the value of a `Content-Length` field.
    ///
    /// Repeated identical values, also within one field, count as one (RFC 9110, section 8.6).
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

extension UnsafeRawBufferPointer {
    /// Whether a stored line says how much of a quota is left; see ``RequestQuota``.
    fileprivate var isQuotaField: Bool {
        // Few names begin with these letters.
        guard let first = first?.lowercasedASCII, first == UInt8(ascii: "r") || first == UInt8(ascii: "x") else {
            return false
        }
        return isField("RateLimit") || isField("RateLimit-Remaining") || isField("X-RateLimit-Remaining")
    }
}
