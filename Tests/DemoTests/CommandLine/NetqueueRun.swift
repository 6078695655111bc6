/// One run of the built program, from its start to its end.
struct NetqueueRun {
    let exitCode: Int32
    /// Whether a signal has ended it.
    let wasKilled: Bool
    let output: String
    let error: String
}
