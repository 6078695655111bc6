/// The options of `netqueue status FILE|DIR…`.
struct StatusOptions: Hashable, Sendable {
    var paths: [String] = []
    /// Whether to draw a bar until the jobs have ended, or to print their state once.
    var mode = DisplayOptions.Mode.auto
}
