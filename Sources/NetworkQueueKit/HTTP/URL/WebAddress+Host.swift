import Foundation

extension WebAddress {
    /// DNS names have at most 253 bytes; percent-encoded or non-ASCII names need several times that. The limit matters
    /// because converting a label is not linear.
    private static let longestHost = 4096

    /// Returns the host in the form used for the look-up; `nil` if it is invalid.
    static func host(_ source: ArraySlice<UInt8>, allowsInternational: Bool) -> [UInt8]? {
        guard source.count <= longestHost else { return nil }
        if source.first == UInt8(ascii: "[") { return addressInBrackets(source) }
        var name = source.percentDecoded
        if name.contains(where: { $0 >= 0x80 }) {
            guard allowsInternational, let converted = converted(name) else { return nil }
            name = converted
        }
        name = name.asciiLowercased
        guard !name.isEmpty, name.allSatisfy(ByteSet.host.contains) else { return nil }
        return isIPv4Address(name) || !endsInNumber(name) ? name : ipv4Address(name)
    }

    /// Returns the name in Punycode (IDNA).
    private static func converted(_ name: [UInt8]) -> [UInt8]? {
        // Foundation percent-encodes what it cannot convert. Characters with a meaning in URLs are never passed to it.
        guard name.allSatisfy({ $0 >= 0x80 || ByteSet.host.contains($0) }),
            let text = String(validating: name, as: UTF8.self)
        else { return nil }
        var components = URLComponents()
        components.host = text
        guard let host = components.encodedHost, host.utf8.allSatisfy(ByteSet.host.contains) else { return nil }
        return Array(host.utf8)
    }

    /// Returns an IPv6 address with its brackets and its zone, if any (RFC 6874).
    private static func addressInBrackets(_ source: ArraySlice<UInt8>) -> [UInt8]? {
        guard source.last == UInt8(ascii: "]") else { return nil }
        let content = source.dropFirst().dropLast()
        let address = content.prefix { $0 != UInt8(ascii: "%") }.asciiLowercased
        let zone = content[(content.startIndex + address.count)...]
        guard zone.isEmpty || zone.starts(with: "%25".utf8) && zone.count > 3,
            zone.dropFirst(3).allSatisfy(ByteSet.unreserved.contains),
            // The maximum length of an IPv6 address.
            address.count <= 45, address.allSatisfy(ByteSet.ipv6Address.contains)
        else { return nil }
        var number = in6_addr()
        guard inet_pton(AF_INET6, String(decoding: address, as: UTF8.self), &number) == 1 else { return nil }
        return [UInt8(ascii: "[")] + address + zone + [UInt8(ascii: "]")]
    }
}

// MARK: - IPv4

extension WebAddress {
    /// Whether the last label is a number; if so, the host must be an IPv4 address.
    private static func endsInNumber(_ name: [UInt8]) -> Bool {
        let name = name.last == UInt8(ascii: ".") ? name.dropLast() : name[...]
        let label = name[(name.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0)...]
        return !label.isEmpty && (label.allSatisfy(\.isDigit) || number(label) != nil)
    }

    /// Whether the host is an IPv4 address in canonical form: four numbers below 256 without leading zeros.
    private static func isIPv4Address(_ name: [UInt8]) -> Bool {
        var (dotCount, digitCount, number) = (0, 0, 0)
        for byte in name {
            if byte == UInt8(ascii: "."), digitCount > 0 {
                dotCount += 1
                (digitCount, number) = (0, 0)
            } else if byte.isDigit, digitCount == 0 || number > 0 {
                digitCount += 1
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            } else {
                return false
            }
            guard number < 256 else { return false }
        }
        return dotCount == 3 && digitCount > 0
    }

    /// Returns the canonical form, such as `127.0.0.1`, of spellings that the C library accepts: `127.1`, `0x7f000001`,
    /// `0177.1`.
    private static func ipv4Address(_ name: [UInt8]) -> [UInt8]? {
        let name = name.last == UInt8(ascii: ".") ? name.dropLast() : name[...]
        guard name.count <= 64 else { return nil }
        let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let numbers = labels.compactMap(number)
        guard numbers.count == labels.count, numbers.count <= 4, let last = numbers.last,
            numbers.dropLast().allSatisfy({ $0 < 256 }), last < UInt64(1) << (8 * (5 - UInt64(numbers.count)))
        else { return nil }
        var address = last
        for (index, number) in numbers.dropLast().enumerated() { address += number << (8 * (3 - UInt64(index))) }
        return Array([24, 16, 8, 0].map { "\(address >> $0 & 255)" }.joined(separator: ".").utf8)
    }

    /// Parses a number in C's notation. Values beyond the address range become larger than any address.
    private static func number(_ label: ArraySlice<UInt8>) -> UInt64? {
        var digits = label
        var radix: UInt64 = 10
        if label.starts(with: "0x".utf8) {
            (digits, radix) = (label.dropFirst(2), 16)
        } else if label.first == UInt8(ascii: "0"), label.count > 1 {
            (digits, radix) = (label.dropFirst(), 8)
        }
        guard !label.isEmpty else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            guard let value = digit.hexValue.map(UInt64.init), value < radix else { return nil }
            number = min(number * radix + value, 1 << 40)
        }
        return number
    }
}
