/// Calls a function at an even rhythm, the first time at once, until it is stopped or goes away.
final class Ticker: Sendable {
    private let task: Task<Void, Never>

    init(interval: Duration, _ body: @escaping @Sendable () -> Void) {
        task = Task {
            while !Task.isCancelled {
                body()
                try? await Task.sleep(for: interval)
            }
        }
    }

    deinit { task.cancel() }

    /// Ends the rhythm. A call that has begun goes on.
    func stop() { task.cancel() }
}
