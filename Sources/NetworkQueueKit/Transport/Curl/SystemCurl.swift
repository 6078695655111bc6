/// The system's libcurl, which the library uses on Linux alone.
enum SystemCurl {
    /// A transport with the default configuration; `nil` where libcurl cannot be loaded.
    static func makeTransport() -> (any Transport)? {
        #if canImport(Glibc)
            CurlTransport()
        #else
            nil
        #endif
    }

    /// A transport that does all that a configuration asks for; `nil` where libcurl cannot be loaded.
    static func makeCheckedTransport(_ configuration: TransportConfiguration) throws(NetworkError) -> (any Transport)? {
        #if canImport(Glibc)
            guard CurlLibrary.isAvailable else { return nil }
            try CurlTransport.check(configuration)
            return CurlTransport(configuration: configuration)
        #else
            return nil
        #endif
    }
}
