import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The answer to a redirect.
enum RedirectAnswer: Sendable {
    case follow
    case replace(URLRequest)
    /// The redirect itself is the response.
    case refuse

    /// The meaning of a request that was returned in place of `proposal`.
    init(_ request: URLRequest?, to proposal: URLRequest) {
        switch request {
        case nil: self = .refuse
        case let request? where NetworkRequest(request).sendsSame(as: NetworkRequest(proposal)): self = .follow
        case let request?: self = .replace(request)
        }
    }
}
