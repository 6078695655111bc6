/// Which responses count as a success. A value, checked as soon as the head is in, before any content is taken.
///
/// A rejected response fails the operation with `.httpStatus` when it is for its status, else with `.validation`; the
/// error comes with the head and the first 64 KiB of the content.
public struct ResponseValidation: Sendable, Hashable {
    private enum Check: Sendable, Hashable {
        case successStatus
        case statusCodes(Set<Int>)
        case contentTypes([MediaRange])
        case custom(CustomCheck)
    }

    private let checks: [Check]

    private init(_ check: Check) {
        checks = [check]
    }

    private init(checks: [Check]) {
        self.checks = checks
    }

    /// Every response is a success.
    public static let none = ResponseValidation(checks: [])

    /// 2xx and 304 are a success, all else fails with `.httpStatus`.
    public static let successStatus = ResponseValidation(.successStatus)

    /// The given status codes are a success, all else fails with `.httpStatus`.
    public static func statusCodes(_ codes: some Sequence<Int>) -> ResponseValidation {
        ResponseValidation(.statusCodes(Set(codes)))
    }

    /// 2xx and 304 with one of the given media types, such as `application/json` or `image/*`, are a success.
    ///
    /// All else fails with `.httpStatus`, or with `.validation` and ``ContentMismatch/contentType(expected:actual:)``
    /// beneath. Parameters such as `charset` are not looked at. A response without content needs no type.
    public static func contentTypes(_ types: some Sequence<String>) -> ResponseValidation {
        successStatus.and(ResponseValidation(.contentTypes(types.map(MediaRange.init))))
    }

    /// A response is a success unless `check` throws, whatever its status.
    ///
    /// `check` is called on the transport's thread and must not block. A ``NetworkError`` that it throws is the
    /// operation's; anything else fails it with `.validation` and that beneath. Two of these are never equal, even with
    /// equal closures.
    public static func custom(_ check: @escaping @Sendable (ResponseHead) throws -> Void) -> ResponseValidation {
        ResponseValidation(.custom(CustomCheck(check)))
    }

    /// What both accept; this one is asked first.
    public func and(_ other: ResponseValidation) -> ResponseValidation {
        ResponseValidation(checks: checks + other.checks)
    }

    /// What is wrong with `head`; `nil` when it is a success.
    func rejection(of head: ResponseHead) -> NetworkError? {
        for check in checks {
            switch check {
            case .successStatus:
                guard (200..<300).contains(head.statusCode) || head.statusCode == 304 else {
                    return NetworkError(.httpStatus(head.statusCode))
                }
            case .statusCodes(let codes):
                guard codes.contains(head.statusCode) else { return NetworkError(.httpStatus(head.statusCode)) }
            case .contentTypes(let ranges):
                guard head.mayLackContentType || ranges.contains(where: { $0.contains(head.headers["Content-Type"]) })
                else {
                    let mismatch = ContentMismatch.contentType(
                        expected: ranges.map(\.text), actual: head.headers["Content-Type"])
                    return NetworkError(.validation, underlying: mismatch)
                }
            case .custom(let check):
                do {
                    try check.body(head)
                } catch {
                    let rejection = error as? NetworkError ?? NetworkError(.validation, underlying: error)
                    return rejection.thrown(byHookNamed: "ResponseValidation.custom")
                }
            }
        }
        return nil
    }

    /// The checks as a record has them; a custom one cannot be written down.
    var recorded: [NetworkRequest.Record.Check?] {
        checks.map { check in
            switch check {
            case .successStatus: .successStatus
            case .statusCodes(let codes): .statusCodes(codes)
            case .contentTypes(let ranges): .contentTypes(ranges.map(\.text))
            case .custom: nil
            }
        }
    }

    init(_ record: [NetworkRequest.Record.Check]) {
        checks = record.map { check in
            switch check {
            case .successStatus: .successStatus
            case .statusCodes(let codes): .statusCodes(codes)
            case .contentTypes(let types): .contentTypes(types.map(MediaRange.init))
            }
        }
    }

    /// A closure that can be told from others.
    private final class CustomCheck: Sendable, Hashable {
        let body: @Sendable (ResponseHead) throws -> Void

        init(_ body: @escaping @Sendable (ResponseHead) throws -> Void) {
            self.body = body
        }

        static func == (left: CustomCheck, right: CustomCheck) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

extension ResponseHead {
    fileprivate var mayLackContentType: Bool {
        statusCode == 204 || statusCode == 304 || (expectedContentLength == 0 && !headers.contains("Content-Type"))
    }
}
