extension LoopbackServer {
    /// Answers a path with a response, from now on.
    ///
    /// - Parameters:
    ///   - path: Matched without the query, unless it has one itself. With a `*` at the end it matches all paths that
    ///     begin with what is before it; exact paths and longer beginnings win. Percent-encoding is not undone.
    ///   - response: The response, in place of what the path was scripted with before. Answers under way go on.
    public func serve(_ path: String, _ response: ScriptedResponse) {
        serve(path, sequence: [response])
    }

    /// Answers the first request for a path with the first response, and so on; the last one repeats.
    ///
    /// HEAD does not advance the sequence: it is answered with what the next request of another method gets.
    ///
    /// - Precondition: There is at least one response.
    public func serve(_ path: String, sequence: [ScriptedResponse]) {
        // Not `precondition`, which says nothing in release builds.
        guard !sequence.isEmpty else { fatalError("a sequence needs at least one response") }
        core.update { $0.routes.set(path, .responses(sequence, next: 0)) }
    }

    /// Answers requests for a path with what the handler makes of them, after their bodies have been read.
    public func serve(_ path: String, _ handler: @escaping Handler) {
        core.update { $0.routes.set(path, .handler(handler)) }
    }
}
