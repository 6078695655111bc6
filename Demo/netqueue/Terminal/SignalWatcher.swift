import Dispatch
import Foundation

/// Calls a function when signals arrive, instead of their default action.
final class SignalWatcher {
    private let sources: [any DispatchSourceSignal]

    /// Starts watching `signals`.
    init(_ signals: [Int32], handler: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: "netqueue.signals")
        sources = signals.map { number in
            // A signal that is not ignored would act before Dispatch sees it.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { handler(number) }
            source.activate()
            return source
        }
    }

    /// Stops watching. From now on the signals are ignored.
    func stop() {
        for source in sources { source.cancel() }
    }
}
