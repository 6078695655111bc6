/// How an attempt has failed.
struct AttemptFailure: Sendable {
    /// What the operation has if there is no other attempt.
    var result = OperationResult()
    let error: NetworkError
    /// Whether what has been learnt of the content's length holds for the next attempt, too.
    var keepsLength = false
}
