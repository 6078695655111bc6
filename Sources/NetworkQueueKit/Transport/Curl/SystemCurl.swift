/// Creates transports that use the system's libcurl, on Linux only.
enum SystemCurl {
    /// Creates a transport with the default configuration; `nil` if libcurl cannot be loaded.
    static func makeTransport() -> (any Transport)? {
        #if canImport(Glibc)
            CurlTransport()
        #else
            nil
        #endif
    }

    /// Creates a transport after checking that it supports the configuration; `nil` if libcurl cannot be loaded.
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
