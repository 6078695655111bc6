/// The transport that queues use by default.
public enum DefaultTransport {
    /// The transport of the process: ``CurlTransport`` on Linux if libcurl can be loaded, otherwise
    /// ``URLSessionTransport``.
    ///
    /// All queues that use it share its connections.
    public static let shared: any Transport = {
        SystemCurl.makeTransport() ?? URLSessionTransport()
    }()

    /// Creates a transport of the same kind as ``shared``, with its own connections, and checks the configuration.
    ///
    /// The files that the configuration names are read, so a wrong path is reported now and not by the first request.
    /// Whether a key belongs to its certificate is found out with the first connection.
    ///
    /// - Throws: ``NetworkError/Code/unsupportedConfiguration`` for a value that differs from its default and is not
    ///   supported here, ``NetworkError/Code/fileSystem`` for a file that cannot be read. The description names the
    ///   value or the file, and the reason.
    public static func make(_ configuration: TransportConfiguration) throws(NetworkError) -> any Transport {
        try configuration.check()
        if let transport = try SystemCurl.makeCheckedTransport(configuration) { return transport }
        try URLSessionTransport.check(configuration)
        return URLSessionTransport(configuration: configuration)
    }
}
