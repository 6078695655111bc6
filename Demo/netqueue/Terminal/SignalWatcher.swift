import Dispatch
import Foundation

/// Calls a function when signals arrive, instead of their default action.
final class SignalWatcher {
    private let signals: [Int32]
    private let sources: [any DispatchSourceSignal]

    /// Starts watching `signals`, except those that are ignored: a shell ignores `SIGINT` and `SIGQUIT` for a job in the
    /// background of a script, and `nohup` ignores `SIGHUP`.
    init(_ signals: [Int32], handler: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: "netqueue.signals")
        self.signals = signals.filter { !Self.isIgnored($0) }
        sources = self.signals.map { number in
            // A signal that is not ignored would act before Dispatch sees it.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { handler(number) }
            source.activate()
            return source
        }
    }

    /// Stops watching. From now on the signals have their default action, so that they end a program that is blocked,
    /// such as by a pipe that nobody reads.
    func stop() {
        for source in sources { source.cancel() }
        for number in signals { signal(number, SIG_DFL) }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        return sigaction(number, nil, &action) == 0 && action.isIgnoring
    }
}
