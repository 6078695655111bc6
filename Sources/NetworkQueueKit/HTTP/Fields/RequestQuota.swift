import Foundation

/// A used-up quota, as a response describes it.
///
/// | Fields | Used up | Time until it is renewed |
/// |---|---|---|
/// | `RateLimit: "name";r=0;t=30, …` | an item with `r=0` | `t` in seconds; the longest of those items |
/// | `RateLimit-Remaining`, `RateLimit-Reset` | 0 | seconds |
/// | `X-RateLimit-Remaining`, `X-RateLimit-Reset` | 0 | seconds; from 1,000,000,000 on a Unix time |
///
/// A malformed field is ignored.
package struct RequestQuota: Sendable, Equatable {
    /// The time until the quota is renewed; `nil` if the response does not give it, or if it has passed.
    package private(set) var delay: Duration?

    /// The first number of an `X-RateLimit-Reset` that is a Unix time.
    private static let firstUnixTime: Int64 = 1_000_000_000
    /// The longest delay. Retry policies have their own limit.
    private static let maximumDelay: Int64 = 1_000_000_000

    /// Fails unless a field of the response says that a quota is used up.
    package init?(usedUpIn head: ResponseHead, now: Date = Date()) {
        let headers = head.headers
        var isUsedUp = false
        for item in Self.items(of: headers.values(for: "RateLimit")) where item.remaining == 0 {
            isUsedUp = true
            note(item.reset)
        }
        if Self.number("RateLimit-Remaining", of: headers) == 0 {
            isUsedUp = true
            note(Self.number("RateLimit-Reset", of: headers))
        }
        if Self.number("X-RateLimit-Remaining", of: headers) == 0 {
            isUsedUp = true
            note(Self.number("X-RateLimit-Reset", of: headers).map { Self.seconds($0, head, now: now) })
        }
        guard isUsedUp else { return nil }
    }

    /// How many requests the quotas in a response still allow; `nil` if it does not tell. The smallest number counts.
    static func remaining(in head: ResponseHead) -> Int64? {
        let headers = head.headers
        let numbers =
            items(of: headers.values(for: "RateLimit")).map(\.remaining)
            + ["RateLimit-Remaining", "X-RateLimit-Remaining"].map { number($0, of: headers) }
        return numbers.compactMap(\.self).filter { $0 >= 0 }.min()
    }

    /// Notes the time of one quota. The longest one counts.
    private mutating func note(_ seconds: Int64?) {
        guard let seconds, seconds > 0 else { return }
        delay = max(delay ?? .zero, .seconds(min(seconds, Self.maximumDelay)))
    }

    /// The seconds until the moment that an `X-RateLimit-Reset` gives. A Unix time is compared with the server's own
    /// clock, if its response has a `Date`.
    private static func seconds(_ reset: Int64, _ head: ResponseHead, now: Date) -> Int64 {
        guard reset >= firstUnixTime else { return reset }
        let origin = RetryAfter.date(of: head, now: now).timeIntervalSince1970.rounded(.down)
        // Floating point, because the difference of two numbers from outside could overflow.
        return Int64(min(max(Double(reset) - origin, 0), Double(maximumDelay)))
    }

    private static func number(_ name: String, of headers: HTTPHeaders) -> Int64? {
        guard var text = headers.values(for: name).first else { return nil }
        return text.withUTF8 { Int64(digits: UnsafeRawBufferPointer($0)) }
    }

    // MARK: RateLimit

    private struct Item {
        var remaining: Int64?
        var reset: Int64?
    }

    /// The items of a `RateLimit` field: a list (RFC 9651, section 3.1) of names with parameters. Empty if it is
    /// malformed.
    private static func items(of lines: [String]) -> [Item] {
        guard !lines.isEmpty else { return [] }
        return ByteScanner.scan(lines.joined(separator: ",")) { scanner in
            var items: [Item] = []
            repeat {
                scanner.take(while: \.isFieldSpace)
                guard let item = takeItem(&scanner) else { return [] }
                items.append(item)
                scanner.take(while: \.isFieldSpace)
            } while scanner.skip(UInt8(ascii: ","))
            return scanner.isAtEnd ? items : []
        }
    }

    private static func takeItem(_ scanner: inout ByteScanner) -> Item? {
        guard takeValue(&scanner) != nil else { return nil }
        var item = Item()
        while scanner.skip(UInt8(ascii: ";")) {
            scanner.take { $0 == UInt8(ascii: " ") }
            let key = scanner.take { $0 >= UInt8(ascii: "a") && $0.isLetter || $0.isDigit || "_-.*".utf8.contains($0) }
            guard let first = key.first, !first.isDigit else { return nil }
            var number: Int64?
            if scanner.skip(UInt8(ascii: "=")) {
                guard let value = takeValue(&scanner) else { return nil }
                if case .integer(let integer) = value { number = integer }
            }
            if key.elementsEqual("r".utf8) { item.remaining = number }
            if key.elementsEqual("t".utf8) { item.reset = number }
        }
        return item
    }

    private enum Value {
        case integer(Int64)
        case other
    }

    /// Consumes a value; returns `nil` if it is malformed.
    private static func takeValue(_ scanner: inout ByteScanner) -> Value? {
        switch scanner.next {
        case UInt8(ascii: "\"")?: return takeString(&scanner)
        case UInt8(ascii: "?")?: return scanner.skip("?0") || scanner.skip("?1") ? .other : nil
        case UInt8(ascii: ":")?:
            _ = scanner.pop()
            scanner.take { $0.isLetter || $0.isDigit || "+/=".utf8.contains($0) }
            return scanner.skip(UInt8(ascii: ":")) ? .other : nil
        case let byte? where byte.isDigit || byte == UInt8(ascii: "-"): return takeNumber(&scanner)
        case let byte? where byte.isLetter || byte == UInt8(ascii: "*"):
            scanner.take { $0.isTokenCharacter || ":/".utf8.contains($0) }
            return .other
        default: return nil
        }
    }

    private static func takeString(_ scanner: inout ByteScanner) -> Value? {
        _ = scanner.pop()
        while let byte = scanner.pop() {
            switch byte {
            case UInt8(ascii: "\""): return .other
            case UInt8(ascii: "\\"):
                guard scanner.skip(UInt8(ascii: "\"")) || scanner.skip(UInt8(ascii: "\\")) else { return nil }
            case 0x20...0x7e: break
            default: return nil
            }
        }
        return nil
    }

    private static func takeNumber(_ scanner: inout ByteScanner) -> Value? {
        let isNegative = scanner.skip(UInt8(ascii: "-"))
        let digits = scanner.take(while: \.isDigit)
        // No more digits are allowed, so the number cannot overflow.
        guard digits.count <= 15,
            let number = Int64(digits: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: digits)))
        else { return nil }
        guard scanner.skip(UInt8(ascii: ".")) else { return .integer(isNegative ? -number : number) }
        return 1...3 ~= scanner.take(while: \.isDigit).count ? .other : nil
    }
}

extension ResponseHead {
    /// Whether the server refuses the request because there were too many: a 429, or a 403 that says that a quota is
    /// used up.
    package var isQuotaRefusal: Bool {
        statusCode == 429 || statusCode == 403 && RequestQuota(usedUpIn: self) != nil
    }
}

/// The time for which a response asks its client to wait.
struct RequestedPause: Sendable {
    /// How long; `nil` if a 429 does not say.
    let delay: Duration?
    /// Whether the response counts as a 429.
    let isQuotaRefusal: Bool
    /// Whether its head said that a quota is used up.
    let isQuotaUsedUp: Bool
    /// How long the host is held because of a 429 without a time.
    var hold = Duration.zero

    /// Reads `Retry-After`, or else the quota. Fails if the response asks for nothing.
    init?(_ head: ResponseHead) {
        let quota = RequestQuota(usedUpIn: head)
        delay = RetryAfter.delay(in: head) ?? quota?.delay
        isQuotaUsedUp = quota != nil
        isQuotaRefusal = head.statusCode == 429 || head.statusCode == 403 && isQuotaUsedUp
        if delay == nil, !isQuotaRefusal { return nil }
    }
}
