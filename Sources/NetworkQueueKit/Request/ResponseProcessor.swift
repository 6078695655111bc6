/// Works on the content of an accepted response once it is whole: checks a signature, decodes, converts.
///
/// The work is asynchronous and done off the transport's threads; the operation keeps its slot meanwhile, and is reported
/// as finished only afterwards.
public protocol ResponseProcessor: Sendable {
    /// Returns what takes the content's place; return `content` itself when you only look at it.
    ///
    /// What it throws fails the operation: a ``NetworkError`` as such, anything else as `.processing`. A file that the
    /// operation has written is removed then. When the operation is cancelled the task is, and the operation does not wait
    /// for it.
    func process(_ content: ResponseContent, for operation: RequestOperation) async throws -> ResponseContent
}
