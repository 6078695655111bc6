/// How an attempt has failed.
struct AttemptFailure: Sendable {
    /// What the request ends with if there is no other attempt.
    var result = RequestResult()
    let error: NetworkError
    /// Whether what has been learnt of the content's length holds for the next attempt, too.
    var keepsLength = false
}
