/// A hook of the library's own that calls the user's code. Errors name that code's type, and requests are told apart by it.
protocol HookWrapper: Sendable {
    /// The type whose code is called.
    var userType: Any.Type { get }
}
