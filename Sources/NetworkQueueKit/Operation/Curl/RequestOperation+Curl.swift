extension RequestOperation {
    /// A command line for a POSIX shell, which has the program `curl` send the same request.
    ///
    ///     curl -X POST -H 'Content-Type: application/json' -H Expect: --data-binary '{"a":1}' 'https://example.com/a'
    ///
    /// It has the method, the header fields, the content, the destination and the URL of ``request``. Text stands in the command; other
    /// bytes come from `printf` with octal escapes, files by their names (`@file`), and forms as `-F`, or in pieces through a pipe
    /// where `-F` would not send the same bytes. A stream's content has to be given as standard input. What the queue, adapters, an
    /// authenticator and a cookie storage add is not in it, nor `Accept-Encoding: identity`, and neither are redirects, retries and the
    /// resuming of a download.
    ///
    /// - Parameter includingCredentials: whether the command may have secrets. With `false`, the default, `<hidden>` stands in the place
    ///   of the values of `Authorization`, `Cookie`, `Proxy-Authorization` and all other fields that ``HTTPHeaders`` does not print, and name
    ///   and password are missing from the URL; what the content, or the URL's query, has of them is there. With `true` everything is
    ///   there, and ``NetworkRequest/credential``, or name and password of the URL, become `-u`.
    public func curlCommand(includingCredentials: Bool = false) -> String {
        CurlCommand(request, includingCredentials: includingCredentials).text
    }
}
