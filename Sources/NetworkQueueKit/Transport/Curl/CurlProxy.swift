#if canImport(Glibc)
    import Foundation

    /// The proxy that libcurl uses.
    enum CurlProxy {
        /// This proxy takes all requests.
        case named(URL)
        /// The environment names proxies and exceptions, which libcurl evaluates.
        case environment
        /// No proxy. Tells libcurl so, because it would otherwise read half a dozen variables for each request.
        case none

        /// The environment variables that libcurl reads. `HTTP_PROXY` is not one of them: a CGI program gets it from a
        /// request's `Proxy` field.
        private static let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

        init(configured: URL?, environment: (String) -> String? = Self.variable) {
            if let configured {
                self = .named(configured)
            } else {
                self = Self.variables.contains { environment($0)?.isEmpty == false } ? .environment : .none
            }
        }

        /// Whether libcurl must use HTTP/1.1 with the servers behind the proxy. Before 8.7, HTTP/2 stalls in a tunnel
        /// through a proxy that is reached over TLS.
        func isLimitedToHTTP1(
            version: UInt32 = CurlLibrary.version, environment: (String) -> String? = Self.variable
        ) -> Bool {
            guard version < 0x08_07_00 else { return false }
            switch self {
            case .named(let url): return url.scheme?.lowercased() == "https"
            case .environment:
                return Self.variables.contains { environment($0)?.lowercased().hasPrefix("https:") == true }
            case .none: return false
            }
        }

        /// Whether the environment names proxies.
        var isOfEnvironment: Bool {
            switch self {
            case .environment: true
            case .named, .none: false
            }
        }

        /// The only origin for which the connection of an exchange can be used; `nil` if a proxy may forward requests to
        /// others over it.
        func connectionOrigin(of exchange: HTTPExchange) -> Origin? {
            switch self {
            case .named, .environment:
                exchange.url.scheme?.lowercased() == "https" ? Origin(exchange.url) : nil
            case .none: Origin(exchange.url)
            }
        }

        static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    }
#endif
