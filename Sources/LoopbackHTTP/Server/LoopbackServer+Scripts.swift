extension LoopbackServer {
    /// Answers a path with a response from now on.
    ///
    /// - Parameters:
    ///   - path: Compared with the request's path, or with its whole target if `path` has a query. With a trailing `*`
    ///     it matches every path that starts with the text before it; exact paths and longer prefixes take precedence.
    ///     Percent-encoding is not decoded.
    ///   - response: The response, which replaces the path's earlier script. Answers already in progress are not
    ///     affected.
    public func serve(_ path: String, _ response: ScriptedResponse) {
        serve(path, sequence: [response])
    }

    /// Answers successive requests for a path with successive responses; the last response repeats.
    ///
    /// HEAD does not advance the sequence: it gets the response that the next request of another method will get.
    ///
    /// - Precondition: `sequence` is not empty.
    public func serve(_ path: String, sequence: [ScriptedResponse]) {
        // Not `precondition`, which prints no message in release builds.
        guard !sequence.isEmpty else { fatalError("a sequence needs at least one response") }
        core.update { $0.routes.set(path, .responses(sequence, next: 0)) }
    }

    /// Answers requests for a path with the handler's response. The handler runs after the request's body has been
    /// read, so gates at `.beforeRequestBody`, ``ScriptedResponse/ignoringBody()`` and
    /// ``ScriptedResponse/ignoringExpect()`` have no effect in its response.
    public func serve(_ path: String, _ handler: @escaping Handler) {
        core.update { $0.routes.set(path, .handler(handler)) }
    }
}
