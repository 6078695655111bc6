import Dispatch
import Foundation

/// Calls a function when signals arrive, in place of what they would do by default.
final class SignalWatcher {
    private let sources: [any DispatchSourceSignal]

    /// Watches `signals` from now on.
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

    /// From now on the signals do nothing at all.
    func stop() {
        for source in sources { source.cancel() }
    }
}
