#if canImport(Glibc)
    import Foundation

    /// Where libcurl looks for a proxy.
    enum CurlProxy {
        /// This one takes all requests.
        case named(URL)
        /// The environment names one or several, and exceptions from them: for libcurl to work out.
        case environment
        /// No proxy; libcurl would read half a dozen variables for each request to find out.
        case none

        /// The environment's variables that libcurl looks at. `HTTP_PROXY` is not one of them: a CGI program has it
        /// from a request's `Proxy`.
        private static let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

        init(configured: URL?, environment: (String) -> String? = Self.variable) {
            if let configured {
                self = .named(configured)
            } else {
                self = Self.variables.contains { environment($0)?.isEmpty == false } ? .environment : .none
            }
        }

        /// Whether libcurl has to speak HTTP/1.1 with the servers behind it: before 8.7 HTTP/2 stalls in a tunnel whose
        /// proxy is spoken to over TLS.
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

        static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    }
#endif
