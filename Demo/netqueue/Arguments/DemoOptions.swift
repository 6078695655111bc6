/// What `netqueue demo` is to do.
struct DemoOptions: Hashable, Sendable {
    var files = 240
    /// About how long the transfers take; 0 means as fast as it goes.
    var seconds = 10.0
    var jobs = 6
    var usesSizing = true
    var display = DisplayOptions()
}
