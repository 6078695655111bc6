import Dispatch

#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

/// Told what happens to operations; a queue, in most cases.
///
/// Calls for one operation are serial, made on whatever thread it happens, under no lock, and must not block.
protocol OperationListener: AnyObject, Sendable {
    /// Something has happened to the operation. With `ended` its status and its result are the final ones.
    func operation(_ operation: RequestOperation, did event: RequestEvent)
    /// Whether it calls `RequestOperation.finish()` for each operation that has ended, once the last callback about it has returned, or
    /// it is certain that there will be none. Else the operation does so itself, when `ended` has been told.
    var finishesOperations: Bool { get }
    /// Makes callbacks on the calling thread until `operation` is finished, for which `semaphore` is signalled, if no other thread could
    /// make them while this one waits; else returns `false` at once. Traps inside a callback about `operation`.
    func makeCallbacks(until operation: RequestOperation, isFinished semaphore: DispatchSemaphore) -> Bool
    /// There is something new for the operation's progress handlers.
    func operationHasProgress(_ operation: RequestOperation)
    /// Answers what operations ask. Without one redirects are followed, challenges are not answered, and errors stay as they are.
    var answerer: (any OperationAnswerer)? { get }
}

extension OperationListener {
    var finishesOperations: Bool { false }
    func operationHasProgress(_ operation: RequestOperation) {}
    func makeCallbacks(until operation: RequestOperation, isFinished semaphore: DispatchSemaphore) -> Bool { false }
    var answerer: (any OperationAnswerer)? { nil }
}

/// Answers what is not for an operation to decide.
protocol OperationAnswerer: AnyObject, Sendable {
    /// The response leads to `target`; the operation waits for `answer`, which may be called at once or later, on any thread.
    func operation(
        _ operation: RequestOperation, willRedirectTo target: HTTPExchange,
        answer: @escaping @Sendable (RedirectAnswer) -> Void)
    /// A credential is needed for all requests of this protection space. Answers given after the first count for nothing, and
    /// letting go of `answer` is one, too.
    func operation(
        _ operation: RequestOperation, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (URLCredential?) -> Void)
    /// The operation is about to fail, and not because it was cancelled; returns the error that it ends with.
    func operation(_ operation: RequestOperation, willEndWith error: NetworkError) -> NetworkError
}

/// A weak reference to a listener of any type.
///
/// Unchecked: it is written once, by the initializer. (`weak let` needs Swift 6.2.3.)
final class WeakListener: @unchecked Sendable {
    private(set) weak var value: (any OperationListener)?

    init(_ value: any OperationListener) {
        self.value = value
    }
}
