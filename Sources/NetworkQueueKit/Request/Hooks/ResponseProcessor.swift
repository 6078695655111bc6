/// Works on an accepted response once its content is whole: checks a signature, decodes, converts.
///
/// The work is asynchronous and done off the transport's threads; the operation keeps its slot meanwhile, and is
/// reported as finished only afterwards.
public protocol ResponseProcessor: Sendable {
    /// Returns what takes the response's place; return `response` itself when you only look at it.
    ///
    /// What it throws fails the operation: a ``NetworkError`` as such, anything else as `.processing`. A file that the
    /// operation has written is removed then. When the operation is cancelled the task is, and the operation does not
    /// wait for it.
    func process(_ response: Response, in context: AttemptContext) async throws -> Response
}

/// A ``ResponseProcessor`` made of a closure.
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
