/// The path segments `.` and `..`, in which each dot may be percent-encoded.
enum DotSegments {
    /// Returns whether a path, which may be followed by a query and a fragment, has a dot segment.
    static func arePresent(in path: UnsafeRawBufferPointer) -> Bool {
        // A fast check, since this runs for every request and hardly any path has such a segment.
        guard
            hasSegment(in: path, beginningWith: UInt8(ascii: "."))
                || hasSegment(in: path, beginningWith: UInt8(ascii: "%"))
        else { return false }
        var previous: UInt8 = 0
        for index in path.indices {
            let byte = path[index]
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return false }
            if previous == UInt8(ascii: "/"), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%"),
                dotCount(in: path, from: index, to: endOfSegment(in: path, from: index)) > 0
            {
                return true
            }
            previous = byte
        }
        return false
    }

    /// Returns whether a slash is directly followed by `byte`, even in a query.
    private static func hasSegment(in path: UnsafeRawBufferPointer, beginningWith byte: UInt8) -> Bool {
        var rest = path
        while let index = rest.position(of: byte) {
            if index > 0, rest[index - 1] == UInt8(ascii: "/") { return true }
            rest = UnsafeRawBufferPointer(rebasing: rest[(index + 1)...])
        }
        return false
    }

    /// Returns the path, which begins with a slash, without dot segments (RFC 3986, section 5.2.4). A query and a
    /// fragment after it are kept.
    ///
    /// Linear in the length, because each byte is removed at most once.
    static func removed(from path: UnsafeRawBufferPointer) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        var result: [UInt8] = [slash]
        result.reserveCapacity(path.count)
        var start = 1
        while true {
            let end = endOfSegment(in: path, from: start)
            let isLast = end == path.count || path[end] != slash
            switch dotCount(in: path, from: start, to: end) {
            case 1: break
            case 2:
                if result.count > 1 { result.removeLast() }
                while result.last != slash { result.removeLast() }
            default:
                result += path[start..<end]
                if !isLast { result.append(slash) }
            }
            if isLast { return result + path[end...] }
            start = end + 1
        }
    }

    private static func endOfSegment(in path: UnsafeRawBufferPointer, from start: Int) -> Int {
        var end = start
        while end < path.count, path[end] != UInt8(ascii: "/"), path[end] != UInt8(ascii: "?"),
            path[end] != UInt8(ascii: "#")
        {
            end += 1
        }
        return end
    }

    /// Returns 1 for `.`, 2 for `..`, and 0 for any other segment.
    private static func dotCount(in path: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int {
        var index = start
        var count = 0
        while index < end, count < 3 {
            if path[index] == UInt8(ascii: ".") {
                index += 1
            } else if path[index] == UInt8(ascii: "%"), index + 2 < end, path[index + 1] == UInt8(ascii: "2"),
                path[index + 2] | 0x20 == UInt8(ascii: "e")
            {
                index += 3
            } else {
                return 0
            }
            count += 1
        }
        return count < 3 ? count : 0
    }
}
