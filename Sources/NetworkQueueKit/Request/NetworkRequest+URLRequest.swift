import Foundation

extension NetworkRequest {
    /// Foundation's default timeout; a request with this value uses the transport's timeout.
    private static let defaultTimeoutInterval: TimeInterval = 60

    /// The URL used for a Foundation request without one. It fails like any other URL that is not absolute.
    static let noURL = URL(string: ".") ?? URL(filePath: "/")

    /// The request as Foundation's type, built on each access, which is slow on Linux.
    ///
    /// Its `timeoutInterval` is ``idleTimeout``, or Foundation's default of 60 s if that is `nil`. Setting it applies
    /// everything that the new value specifies. Only the header fields that differ from the current ones change, so the
    /// others keep their order and repetitions, which Foundation's dictionary loses. On Linux, Foundation drops fields
    /// with line breaks; these are kept, too.
    public var urlRequest: URLRequest {
        get {
            var request = foundation ?? URLRequest(url: url)
            request.url = lacksURL ? nil : url
            request.httpMethod = method
            request.allHTTPHeaderFields = nil
            for field in headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
            request.timeoutInterval = idleTimeout?.seconds ?? Self.defaultTimeoutInterval
            return request
        }
        set {
            let former = urlRequest
            if newValue.httpMethod != former.httpMethod { takeMethod(of: newValue) }
            takeOver(newValue, timeoutInterval: former.timeoutInterval)
            let (formerFields, fields) = (former.allHTTPHeaderFields ?? [:], newValue.allHTTPHeaderFields ?? [:])
            for name in formerFields.keys where fields[name] == nil { headers.removeAll(named: name) }
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) where formerFields[name] != value {
                headers.set(value, for: name)
            }
        }
    }

    /// Whether the request was made from a Foundation request without a URL.
    var lacksURL: Bool { url.relativeString == Self.noURL.relativeString }

    /// Whether the request has content, of any length.
    var hasBody: Bool { body != nil || foundation?.httpBody != nil || foundation?.httpBodyStream != nil }

    /// Applies everything except the method and the header fields.
    ///
    /// - Parameter former: the `timeoutInterval` that represented `idleTimeout`. If it is unchanged, `idleTimeout` is
    ///   kept.
    mutating func takeOver(_ request: URLRequest, timeoutInterval former: TimeInterval?) {
        url = request.url ?? Self.noURL
        let interval = request.timeoutInterval
        if interval != former ?? Self.defaultTimeoutInterval {
            idleTimeout =
                interval == Self.defaultTimeoutInterval
                ? nil : interval > 0 && interval < 1e9 ? .seconds(interval) : .zero
        }
        foundation = request.saysMore ? request : nil
    }
}

extension URLRequest {
    /// Whether the request specifies more than URL, method, header fields and timeout.
    fileprivate var saysMore: Bool {
        httpBody != nil || httpBodyStream != nil || cachePolicy != .useProtocolCachePolicy
            || HTTPExchange.NetworkRules(self) != HTTPExchange.NetworkRules() || assumesHTTP3Capable
            || mainDocumentURL != nil || !httpShouldHandleCookies
    }
}
