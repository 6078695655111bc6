import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// One round: queues that share a transport, operations, and threads that use them.
final class Round {
    private static let threadCount = 4
    private static let moveCount = 250
    private static let maximumDuration = 90.0

    private let seed: UInt64
    private let faults: Faults
    private let origin: Origin
    private let folder: URL
    private let remains = Remains()
    private let monitor: AttemptWitness
    private(set) var tally = Tally()

    init(_ seed: UInt64, _ faults: Faults) throws {
        (self.seed, self.faults) = (seed, faults)
        origin = try Origin(seed, faults)
        monitor = AttemptWitness(faults)
        folder = FileManager.default.temporaryDirectory.appending(path: "netqueue-chaos-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        origin.server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func run() async {
        await play()
        let isGone = await eventually(within: 30) { remains.left.isEmpty }
        let left = remains.left
        if !isGone { faults.report("\(left.count) objects are left: \(left.prefix(5))") }
        monitor.check()
    }

    private func play() async {
        guard let transport = try? DefaultTransport.make(TransportConfiguration()) else {
            return faults.report("there is no transport")
        }
        var dice = Dice(seed)
        let states = folder.appending(path: "states")
        let stages = [
            Stage(batchOver: transport, states: states, &dice, monitor, faults),
            Stage(batchOver: transport, states: states, &dice, monitor, faults),
            Stage(queueOver: transport, states: states, &dice, monitor, faults),
        ]
        let player = Player(stages, origin, folder, transport, remains, faults, seed: dice.next())
        for stage in stages {
            remains.note(stage.queue)
            stage.witness.act.withLock { $0 = { [weak player] in player?.actInCallback(of: stage.batch) } }
        }
        let streams = stages.compactMap { stage in
            stage.batch.map { batch in
                let events = batch.events(acrossRuns: true)
                return Task {
                    for await event in events {
                        // ThreadSanitizer does not see that a continuation that is resumed before its task suspends
                        // hands the event over. It sees the queue's lock, under which the event was made.
                        _ = stage.batch?.isRunning
                        stage.streamed.note(event)
                    }
                }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.threadCount {
                let seed = dice.next()
                group.addTask { await Self.onThread { player.move(Self.moveCount, Dice(seed)) } }
            }
        }
        player.end()
        await settle(player, stages)
        for stage in stages { await stage.check() }
        tally = player.check()
        for stage in stages { stage.witness.act.withLock { $0 = nil } }
        for stream in streams { stream.cancel() }
    }

    /// Waits until everything has ended. If it does not, the process says what is left and exits.
    private func settle(_ player: Player, _ stages: [Stage]) async {
        let isQuiet = await eventually(within: Self.maximumDuration) {
            for stage in stages where !stage.isQuiet { stage.release() }
            return player.isQuiet && stages.allSatisfy(\.isQuiet)
        }
        if isQuiet { return }
        let queues = stages.map { "\($0.queue)" }.joined(separator: "; ")
        faults.report("the round does not end: \(player.left), \(queues)")
        exit(1)
    }

    private static func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                body()
                continuation.resume()
            }
        }
    }
}
