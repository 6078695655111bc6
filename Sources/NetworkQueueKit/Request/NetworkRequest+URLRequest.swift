import Foundation

extension NetworkRequest {
    /// Foundation's default; a request that has it leaves the timeout to the transport.
    private static let defaultTimeoutInterval: TimeInterval = 60

    /// What stands for the URL of a request of Foundation's that has none. It fails like any other that is not
    /// absolute.
    static let noURL = URL(string: ".") ?? URL(filePath: "/")

    /// The request in Foundation's form, made anew at each call, which is slow on Linux.
    ///
    /// Its `timeoutInterval` is ``idleTimeout``, or Foundation's default of 60 s where that is `nil`. Setting takes
    /// over all that the new one says. Of the header fields only those change that differ from what was got, so the
    /// others keep their order and number, which Foundation's dictionary does not tell. Foundation on Linux leaves out
    /// fields with line breaks, which stay as well.
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

    /// Whether it was made from a request of Foundation's without a URL.
    var lacksURL: Bool { url.relativeString == Self.noURL.relativeString }

    /// Takes everything but method and header fields.
    ///
    /// - Parameter former: the `timeoutInterval` that stood for `idleTimeout`, which stays where that has not changed.
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
    /// Whether the request says more than URL, method, header fields and timeout.
    fileprivate var saysMore: Bool {
        httpBody != nil || httpBodyStream != nil || cachePolicy != .useProtocolCachePolicy
            || HTTPExchange.NetworkRules(self) != HTTPExchange.NetworkRules() || assumesHTTP3Capable
            || mainDocumentURL != nil || !httpShouldHandleCookies
    }
}
