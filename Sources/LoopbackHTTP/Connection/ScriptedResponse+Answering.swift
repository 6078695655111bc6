import Foundation
import NetworkQueueKit

extension ScriptedResponse {
    /// The response to a request with this method.
    func answering(_ method: String) -> ScriptedResponse {
        guard method == "HEAD" else { return self }
        switch headBehavior {
        case .likeGET: return self
        case .refused(let status): return .status(status, headers: status == 405 ? ["Allow": "GET"] : [:])
        case .response(let response): return response
        }
    }

    /// Whether `If-Modified-Since` has exactly the date of the response's `Last-Modified`.
    func isKnown(since date: String?) -> Bool {
        status == 200 && date != nil && date == lastModified
    }

    /// Whether `If-Range` is absent or matches one of the response's validators.
    func validates(_ condition: String?) -> Bool {
        guard let condition else { return true }
        // RFC 9110 requires strong comparison: a weak tag never matches.
        return lastModified.equals(bytesOf: condition)
            || etag.equals(bytesOf: condition) && !condition.starts(withBytesOf: "W/")
    }
}

extension ScriptedResponse.Content {
    /// The content's bytes.
    func source(for request: ReceivedRequest) -> BodySource {
        switch self {
        case .empty: .empty
        case .data(let data), .raw(let data): .data(data)
        case .generated(let content): .generated(content)
        case .echo: .data(Echo(request).json)
        }
    }
}
