/// Processes an accepted response once its content is complete: checks a signature, decodes, converts.
///
/// Processors run asynchronously, off the transport's threads. The operation keeps its slot meanwhile, and is reported
/// as finished only afterwards.
public protocol ResponseProcessor: Sendable {
    /// Returns the response to use in place of `response`; return `response` itself to leave it unchanged.
    ///
    /// An error fails the attempt, and the retry policy or decider may repeat it: a ``NetworkError`` is reported
    /// unchanged, any other error as `.processing`. A file that the operation has written is then removed. Canceling
    /// the operation cancels the task without waiting for it.
    func process(_ response: Response, in context: AttemptContext) async throws -> Response
}

/// A processor that uses the stored file and leaves it where it is, such as one that runs a command.
///
/// An error fails the operation and keeps the file. A cancellation waits for processors that have begun.
package protocol StoredFileProcessor: ResponseProcessor {}

/// A ``ResponseProcessor`` that calls a closure.
public struct ClosureProcessor: ResponseProcessor {
    private let body: @Sendable (Response, AttemptContext) async throws -> Response

    /// Creates a processor that calls `body`.
    public init(_ body: @escaping @Sendable (Response, AttemptContext) async throws -> Response) {
        self.body = body
    }

    /// Calls the closure.
    public func process(_ response: Response, in context: AttemptContext) async throws -> Response {
        try await body(response, context)
    }
}

extension ResponseProcessor where Self == ClosureProcessor {
    /// A processor that calls `body`: `.processor { response, context in … }`.
    public static func processor(
        _ body: @escaping @Sendable (Response, AttemptContext) async throws -> Response
    ) -> Self {
        ClosureProcessor(body)
    }
}
