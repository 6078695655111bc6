/// Which file an error is about, and what to do about it. The system's errors do not keep it on every platform.
struct FileFault: Sendable {
    let path: String
    /// A sentence; `nil` where there is none to give.
    var advice: String?
}
