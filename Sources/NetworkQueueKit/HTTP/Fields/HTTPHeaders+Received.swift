extension HTTPHeaders {
    /// Field lines as they are received, put at once into the form in which they are kept; in memory of its own, which
    /// is used for one response after the other.
    final class ReceivedLines {
        /// Most heads fit.
        private static let usualCapacity = 1024
        /// A head beyond that was an exception whose memory is given back.
        private static let largestKeptCapacity = 16 * 1024

        // Not an array: an array's bounds and owner would be checked for each line.
        private var room = UnsafeMutableRawBufferPointer.allocate(byteCount: usualCapacity, alignment: 1)
        private var count = 0

        deinit { room.deallocate() }

        /// How many bytes of memory it has.
        var capacity: Int { room.count }

        /// Forgets the lines of the former response.
        func removeAll() {
            count = 0
            if room.count > Self.largestKeptCapacity { setCapacity(Self.usualCapacity) }
        }

        /// Takes a line, such as `Name: value\r\n`.
        ///
        /// One without a colon is ignored; one that begins with white space goes on with the value before it (RFC 9112,
        /// section 5.2).
        func append(_ line: UnsafeRawBufferPointer) {
            guard let first = line.first else { return }
            // A line becomes no longer, but for the line feed that it may lack.
            if room.count - count <= line.count { setCapacity(2 * (count + line.count + 1)) }
            var start = count
            if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
                // Behind the value before, if there is one.
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
            // One line is one field, whatever is in it.
            UnsafeMutableRawBufferPointer(rebasing: room[start..<count])
                .replaceAll(UInt8(ascii: "\n"), with: UInt8(ascii: " "))
            put(UInt8(ascii: "\n"))
        }

        /// The header fields. One allocation, as every response comes this way.
        func makeHeaders() -> HTTPHeaders {
            let stored = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
            // What would end a line or a text for some reader.
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

/// How the content of a message is sent, as its fields tell.
extension HTTPHeaders {
    /// The number that the fields called `Content-Length` agree on; `nil` without such a field, when one is not a
    /// number, when two differ, or when `Transfer-Encoding` overrules them.
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
