/// Calls a function periodically, the first time immediately or after the interval, until it is stopped or
/// deinitialized.
final class Ticker: Sendable {
    private let task: Task<Void, Never>

    init(interval: Duration, isFirstAtOnce: Bool = true, _ body: @escaping @Sendable () -> Void) {
        task = Task {
            if !isFirstAtOnce { try? await Task.sleep(for: interval) }
            while !Task.isCancelled {
                body()
                try? await Task.sleep(for: interval)
            }
        }
    }

    deinit { task.cancel() }

    /// Stops the calls. A call in progress continues.
    func stop() { task.cancel() }
}
