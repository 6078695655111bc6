/// Calls its body when the last reference to it goes.
package final class Farewell: Sendable {
    private let body: @Sendable () -> Void

    package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
}
