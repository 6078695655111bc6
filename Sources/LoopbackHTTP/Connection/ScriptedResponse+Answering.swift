import Foundation

extension ScriptedResponse {
    /// The response that a method gets.
    func answering(_ method: String) -> ScriptedResponse {
        guard method == "HEAD" else { return self }
        switch headBehavior {
        case .likeGET: return self
        case .refused(let status): return .status(status, headers: status == 405 ? ["Allow": "GET"] : [:])
        case .response(let response): return response
        }
    }

    /// Whether the client has what the response would bring, as its `If-Modified-Since` says: that is the response's
    /// own date.
    func isKnown(since date: String?) -> Bool {
        status == 200 && date != nil && date == lastModified
    }

    /// Whether the client's `If-Range` still holds: no header, or one of the validators.
    func validates(_ condition: String?) -> Bool {
        guard let condition else { return true }
        // RFC 9110 compares strongly: a weak tag never matches.
        return condition == lastModified || (condition == etag && !condition.hasPrefix("W/"))
    }
}

extension ScriptedResponse.Content {
    /// The bytes to send.
    func source(for request: ReceivedRequest) -> BodySource {
        switch self {
        case .empty: .empty
        case .data(let data), .raw(let data): .data(data)
        case .generated(let content): .generated(content)
        case .echo: .data(Echo(request).json)
        }
    }
}
