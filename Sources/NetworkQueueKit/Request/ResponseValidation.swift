/// Which responses count as a success. Checked as soon as the head is in.
public struct ResponseValidation: Sendable, Hashable {
    private enum Rule: Sendable, Hashable {
        case none
        case successStatus
        case statusCodes(Set<Int>)
    }

    private let rule: Rule

    /// Every response is a success.
    public static let none = ResponseValidation(rule: .none)

    /// 2xx and 304 are a success, all else fails with `.httpStatus`.
    public static let successStatus = ResponseValidation(rule: .successStatus)

    /// The given status codes are a success, all else fails with `.httpStatus`.
    public static func statusCodes(_ codes: some Sequence<Int>) -> ResponseValidation {
        ResponseValidation(rule: .statusCodes(Set(codes)))
    }

    /// What is wrong with `head`; `nil` when it is a success.
    func rejection(of head: ResponseHead) -> NetworkError.Code? {
        let isSuccess =
            switch rule {
            case .none: true
            case .successStatus: (200..<300).contains(head.statusCode) || head.statusCode == 304
            case .statusCodes(let codes): codes.contains(head.statusCode)
            }
        return isSuccess ? nil : .httpStatus(head.statusCode)
    }
}
