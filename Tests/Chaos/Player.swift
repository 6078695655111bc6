import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// Makes the calls: on threads, and inside callbacks.
final class Player: Sendable {
    /// Where a call is made.
    enum Place { case thread, delegate(of: NetworkQueue?), handler }

    let stages: [Stage]
    let origin: Origin
    let folder: URL
    let transport: any Transport
    let remains: Remains
    let faults: Faults
    let cases = Guarded<[Case]>([])
    /// Operations that were started without a queue of the library run in it or alone.
    let foreignQueue = OperationQueue()
    /// The numbers of the contents that are written to files.
    let sources = Guarded<Set<Int>>([])
    /// Whether operations are retried. Their handlers go along, so they may be called again.
    let retries: Bool
    private let dice: SharedDice
    private let state = Guarded((isOver: false, tasks: 0, moves: 0))

    init(
        _ stages: [Stage], _ origin: Origin, _ folder: URL, _ transport: any Transport, _ remains: Remains,
        _ faults: Faults, seed: UInt64
    ) {
        (self.stages, self.origin, self.folder) = (stages, origin, folder)
        (self.transport, self.remains, self.faults) = (transport, remains, faults)
        dice = SharedDice(seed)
        retries = seed.isMultiple(of: 3)
    }

    func move(_ count: Int, _ dice: Dice) {
        var dice = dice
        for _ in 0..<count {
            state.withLock { $0.moves += 1 }
            move(&dice, in: .thread)
            if dice.isOne(in: 3) { usleep(UInt32(dice.number(0..<2000))) }
        }
    }

    /// Sometimes makes a call inside a callback.
    ///
    /// - Parameters:
    ///   - batch: the queue of the callback.
    ///   - mayReset: whether that queue may be reset.
    func actInCallback(of batch: NetworkQueue?, mayReset: Bool = true) {
        guard !isOver else { return }
        guard let seed = dice.roll({ $0.isOne(in: 6) ? $0.next() : nil }) else { return }
        state.withLock { $0.moves += 1 }
        var dice = Dice(seed)
        move(&dice, in: mayReset ? .delegate(of: batch) : .handler)
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Ends the calls inside callbacks.
    func end() { state.withLock { $0.isOver = true } }

    /// Runs asynchronous code that must return before the round ends.
    func run(_ body: @escaping @Sendable (Player) async -> Void) {
        state.withLock { $0.tasks += 1 }
        Task {
            await body(self)
            state.withLock { $0.tasks -= 1 }
        }
    }

    // MARK: The end

    var isQuiet: Bool {
        for operation in cases.withLock({ $0.map(\.operation) }) { operation.resume() }
        return state.withLock { $0.tasks } == 0 && cases.withLock { $0 }.allSatisfy { $0.operation.isFinished }
    }

    var left: String {
        let left = cases.withLock { $0 }.map(\.operation).filter { !$0.isFinished }
        return "\(state.withLock { $0.tasks }) tasks, \(left.count) operations, \(left.prefix(6))"
    }

    /// Checks all operations, and counts them.
    func check() -> Tally {
        var tally = Tally()
        tally.moves = state.withLock { $0.moves }
        for one in cases.withLock({ $0 }) {
            if let fault = one.fault { faults.report("\(one.operation) \(fault)") }
            if let count = one.completions?.withLock({ $0 }), count > 1, !retries {
                faults.report("\(one.operation) has completed \(count) times")
            }
            switch one.operation.status {
            case .finished: tally.finished += 1
            case .failed: tally.failed += 1
            default: tally.cancelled += 1
            }
        }
        return tally
    }
}
