/// The transport that queues use unless they are given another.
public enum DefaultTransport {
    /// ``CurlTransport`` on Linux where libcurl can be loaded, ``URLSessionTransport`` elsewhere. One for the process,
    /// so that all queues share its connections.
    public static let shared: any Transport = {
        SystemCurl.makeTransport() ?? URLSessionTransport()
    }()

    /// Makes a transport of the same kind as ``shared``, with connections of its own, that does all that a
    /// configuration asks for.
    ///
    /// The files that the configuration names are read, so that a wrong path is found now and not with the first
    /// request. Whether a key belongs to its certificate is found with the first connection.
    ///
    /// - Throws: ``NetworkError/Code/unsupportedConfiguration`` for a value that differs from its default and cannot be
    ///   honoured here, ``NetworkError/Code/fileSystem`` for a file that cannot be read. The description names the
    ///   value or the file, and why.
    public static func make(_ configuration: TransportConfiguration) throws(NetworkError) -> any Transport {
        try configuration.check()
        if let transport = try SystemCurl.makeCheckedTransport(configuration) { return transport }
        try URLSessionTransport.check(configuration)
        return URLSessionTransport(configuration: configuration)
    }
}
