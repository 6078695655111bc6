/// The transport that queues use unless they are given another.
public enum DefaultTransport {
    /// ``CurlTransport`` on Linux where libcurl can be loaded, ``URLSessionTransport`` elsewhere. One for the process,
    /// so that all queues share its connections.
    public static let shared: any Transport = {
        #if canImport(Glibc)
            if let transport = CurlTransport() { return transport }
        #endif
        return URLSessionTransport()
    }()
}
