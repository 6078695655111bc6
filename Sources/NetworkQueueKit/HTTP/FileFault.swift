/// Which file an error is about, and what to do about it. The system's errors do not keep it on every platform.
struct FileFault: Sendable {
    let path: String
    /// What to do about it, as a sentence; `nil` when there is no advice for this error.
    var advice: String?
}
