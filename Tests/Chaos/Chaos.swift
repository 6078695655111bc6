import Foundation
import NetworkQueueKit

/// `netqueue-chaos [--seconds N] [--seed S]`: uses queues and operations in every way that the documentation allows,
/// from several threads and from inside callbacks, and checks what the documentation promises.
///
/// It runs rounds until the time is over. Each round has a seed of its own, which begins the next run with `--seed`.
/// Built with `--sanitize=thread`, it finds data races. The order of events on several threads is not reproducible, so
/// a fault may need several runs with its seed.
@main
struct Chaos {
    static func main() async {
        let options = Options(CommandLine.arguments.dropFirst())
        let faults = Faults()
        var seed = options.seed
        say("netqueue-chaos: \(options.seconds) s, seed \(seed)")
        let clock = ContinuousClock()
        let end = clock.now + .seconds(options.seconds)
        var census: Census?
        var rounds = 0
        var tally = Tally()
        repeat {
            faults.begin(seed)
            do {
                let round = try Round(seed, faults)
                await round.run()
                tally.add(round.tally)
            } catch {
                faults.report("the round could not be set up: \(error)")
            }
            rounds += 1
            // The first rounds start the threads and open the descriptors that stay.
            if rounds == 2 { census = await Census() }
            var dice = Dice(seed)
            seed = dice.next()
        } while clock.now < end && faults.isEmpty
        if let census, faults.isEmpty { await census.check(faults) }
        say("netqueue-chaos: \(rounds) rounds, \(tally)")
        if !faults.isEmpty {
            say("netqueue-chaos: \(faults.count) faults")
            exit(1)
        }
    }
}

/// The options of the command line.
struct Options {
    var seconds = 10
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))

    init(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            switch (name, rest.popFirst().flatMap { UInt64($0) }) {
            case ("--seconds", let value?): seconds = Int(clamping: value)
            case ("--seed", let value?): seed = value
            default:
                say("usage: netqueue-chaos [--seconds N] [--seed S]")
                exit(64)
            }
        }
    }
}

/// How operations have ended.
struct Tally: CustomStringConvertible {
    var finished = 0
    var failed = 0
    var cancelled = 0
    var moves = 0

    mutating func add(_ other: Tally) {
        finished += other.finished
        failed += other.failed
        cancelled += other.cancelled
        moves += other.moves
    }

    var description: String { "\(moves) calls, \(finished) finished, \(failed) failed, \(cancelled) cancelled" }
}
