import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

struct RequestRatesTests {
    /// A start that was reserved or has happened, of the naive model.
    private struct Start {
        let host: String
        var time: Duration?
        var reservation = RequestRates.Reservation.none
    }

    private static func isFull(_ starts: [Start], _ rate: RequestRate, at now: Duration) -> Bool {
        starts.count { $0.time.map { $0 + rate.span > now } ?? true } >= rate.count
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `The limits allow what a list of all starts allows`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let rate = RequestRate(.random(in: 1...9, using: &random), per: .seconds(10))
        let perHost = RequestRate(.random(in: 1...4, using: &random), per: .seconds(7))
        var rates = RequestRates()
        rates.set(rate, perHost: perHost)
        var starts: [Start] = []
        var now = Duration.zero
        var closed: Set<String> = []
        for step in 0..<3000 {
            if Int.random(in: 0..<3, using: &random) == 0 {
                let next = rates.nextOpening
                // As often to the moment at which the limits say that they open.
                now =
                    Bool.random(using: &random)
                    ? max(next ?? now, now) : now + .milliseconds(Int.random(in: 0..<900, using: &random))
            }
            rates.advance(to: now)
            let host = "h\(Int.random(in: 0..<100, using: &random))"
            let isFull = Self.isFull(starts, rate, at: now)
            let isHostFull = Self.isFull(starts.filter { $0.host == host }, perHost, at: now)
            #expect(rates.mayStart == !isFull, "seed \(seed), step \(step)")
            #expect(rates.isClosed(host) == isHostFull, "seed \(seed), step \(step)")
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !isFull && !isHostFull:
                starts.append(Start(host: host, reservation: rates.reserve(for: host, now: now)))
            case 1:
                guard let index = starts.indices.filter({ starts[$0].time == nil }).randomElement(using: &random) else {
                    break
                }
                rates.release(starts[index].reservation)
                if Bool.random(using: &random) {
                    let isStarted = rates.start(starts[index].host, now: now)
                    #expect(isStarted, "seed \(seed), step \(step)")
                    starts[index].time = now
                } else {
                    starts.remove(at: index)
                }
            default:
                let isStarted = rates.start(host, now: now)
                #expect(isStarted == (!isFull && !isHostFull), "seed \(seed), step \(step)")
                if isStarted { starts.append(Start(host: host, time: now)) }
            }
            for (host, isClosed) in rates.takeChanges() {
                if isClosed { closed.insert(host) } else { closed.remove(host) }
            }
            #expect(closed.contains(host) == rates.isClosed(host), "seed \(seed), step \(step)")
        }
    }

    @Test func `A rate with extreme numbers does not overflow`() {
        let rate = RequestRate(.max, per: .seconds(Int64.max))
        var window = RateWindow()
        window.reserve()
        window.noteStart(at: .zero)
        #expect(window.mayStart(rate) && rate.span == .longest)
        #expect(RequestRate(.min, per: .seconds(Int64.min)).limit == nil)
        #expect(RequestRate(1, per: .longest).time(for: .max) == .longest)
    }
}
