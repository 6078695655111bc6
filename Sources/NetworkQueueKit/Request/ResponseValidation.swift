/// A rule for which responses count as a success, checked when the head arrives, before any content is processed.
///
/// A response rejected for its status fails the operation with `.httpStatus`; one rejected for another reason fails it
/// with `.validation`. The error includes the head and the first 64 KiB of the content.
public struct ResponseValidation: Sendable, Hashable {
    private enum Check: Sendable, Hashable {
        case successStatus
        case contentStatus
        case storedStatus
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

    /// Accepts every response, except a 304 or a 206 for which the request did not ask.
    public static let none = ResponseValidation(checks: [])

    /// Accepts 2xx and 304; any other status fails with `.httpStatus`. So does a 304 for which the request did not ask.
    ///
    /// This is the default, with two exceptions: a GET into a file uses ``contentStatus``, and a PUT, an upload of a file,
    /// a stream or a form fails if it is answered with 207 (Multi-Status), because such a response reports failures in its
    /// content (RFC 4918, section 13).
    public static let successStatus = ResponseValidation(.successStatus)

    /// Accepts the statuses of ``successStatus`` except 202, 204 and 205, whose content is not that of the resource
    /// (RFC 9110, section 15.3).
    ///
    /// A GET into a file uses it by default. Set it for a GET into a ``Destination/sink(_:)`` whose content must be the
    /// resource's.
    public static let contentStatus = ResponseValidation(.contentStatus)

    /// The rule for a request if neither it nor its queue sets one.
    static func usual(for request: NetworkRequest) -> ResponseValidation {
        if case .file = request.destination, request.method == "GET" { return contentStatus }
        return request.isUpload ? storedStatus : successStatus
    }

    private static let storedStatus = ResponseValidation(.storedStatus)

    /// Accepts the given status codes; any other status fails with `.httpStatus`.
    public static func statusCodes(_ codes: some Sequence<Int>) -> ResponseValidation {
        ResponseValidation(.statusCodes(Set(codes)))
    }

    /// Accepts 2xx and 304 responses with one of the given media types, such as `application/json` or `image/*`.
    ///
    /// Another status fails with `.httpStatus`, another media type with `.validation` and
    /// ``ContentMismatch/contentType(expected:actual:)`` as `underlying`. Parameters such as `charset` are ignored.
    /// Responses with the status 204 or 304, or with `Content-Length: 0`, need no type.
    public static func contentTypes(_ types: some Sequence<String>) -> ResponseValidation {
        successStatus.and(ResponseValidation(.contentTypes(types.map(MediaRange.init))))
    }

    /// Accepts a response, whatever its status, unless `check` throws.
    ///
    /// `check` is called on the transport's thread and must not block. A ``NetworkError`` that it throws is reported
    /// unchanged, any other error as `.validation` with it as `underlying`. Two custom validations are never equal,
    /// even with the same closure.
    public static func custom(_ check: @escaping @Sendable (ResponseHead) throws -> Void) -> ResponseValidation {
        ResponseValidation(.custom(CustomCheck(check)))
    }

    /// Accepts responses that both rules accept; this rule is checked first.
    public func and(_ other: ResponseValidation) -> ResponseValidation {
        ResponseValidation(checks: checks + other.checks)
    }

    /// Returns why `head` is rejected, or `nil` if it is accepted.
    package func rejection(of head: ResponseHead) -> NetworkError? {
        for check in checks {
            switch check {
            case .successStatus:
                guard head.hasSuccessStatus else { return NetworkError(.httpStatus(head.statusCode)) }
            case .contentStatus:
                guard head.hasSuccessStatus, head.mayDescribeContent else {
                    return NetworkError(.httpStatus(head.statusCode))
                }
            case .storedStatus:
                guard head.hasSuccessStatus, head.statusCode != 207 else {
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

    /// The checks in encodable form; `nil` stands for a custom check, which cannot be encoded.
    var recorded: [NetworkRequest.Record.Check?] {
        checks.map { check in
            switch check {
            case .successStatus: .successStatus
            case .contentStatus: .statusCodes(Self.codes(except: [202, 204, 205]))
            case .storedStatus: .statusCodes(Self.codes(except: [207]))
            case .statusCodes(let codes): .statusCodes(codes)
            case .contentTypes(let ranges): .contentTypes(ranges.map(\.text))
            case .custom: nil
            }
        }
    }

    private static func codes(except others: [Int]) -> Set<Int> { Set(200..<300).subtracting(others).union([304]) }

    init(_ record: [NetworkRequest.Record.Check]) {
        checks = record.map { check in
            switch check {
            case .successStatus: .successStatus
            case .statusCodes(let codes): .statusCodes(codes)
            case .contentTypes(let types): .contentTypes(types.map(MediaRange.init))
            }
        }
    }

    /// A closure that is compared by identity.
    private final class CustomCheck: Sendable, Hashable {
        let body: @Sendable (ResponseHead) throws -> Void

        init(_ body: @escaping @Sendable (ResponseHead) throws -> Void) {
            self.body = body
        }

        static func == (left: CustomCheck, right: CustomCheck) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

extension NetworkRequest {
    /// Whether the request sends content to be stored: a PUT, or a file, a stream or a form sent by any other method.
    fileprivate var isUpload: Bool {
        guard hasBody else { return false }
        if method == "PUT" { return true }
        return switch body?.content {
        case .file, .multipart, .stream: true
        case .data, nil: false
        }
    }
}

extension ResponseHead {
    fileprivate var hasSuccessStatus: Bool { (200..<300).contains(statusCode) || statusCode == 304 }

    fileprivate var mayLackContentType: Bool {
        statusCode == 204 || statusCode == 304 || (expectedContentLength == 0 && !headers.contains("Content-Type"))
    }
}
