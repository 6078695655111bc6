import Testing

@testable import netqueue

struct SpeedMeterTests {
    private let start = ContinuousClock.now

    @Test func `The speed of a transfer is unknown in its first second`() {
        var meter = SpeedMeter()
        #expect(meter.rate(bytes: 0, now: start) == nil)
        #expect(meter.rate(bytes: 500, now: start + .milliseconds(999)) == nil)
        #expect(meter.rate(bytes: 1000, now: start + .seconds(1)) == 1000)
        #expect(meter.rate(bytes: 1800, now: start + .milliseconds(1500)) == 1200)
    }

    @Test func `The speed of a transfer is its mean over the last five seconds`() {
        var meter = SpeedMeter()
        for second in 0...5 { _ = meter.rate(bytes: Int64(second) * 1000, now: start + .seconds(second)) }
        #expect(meter.rate(bytes: 5000, now: start + .seconds(6)) == 800)
        #expect(meter.rate(bytes: 5000, now: start + .seconds(7)) == 600)
        #expect(meter.rate(bytes: 5000, now: start + .seconds(20)) == 0)
    }

    @Test func `A new attempt resets the speed of a transfer`() {
        var meter = SpeedMeter()
        _ = meter.rate(bytes: 0, now: start)
        _ = meter.rate(bytes: 1000, now: start + .seconds(1))
        #expect(meter.rate(bytes: 10, now: start + .seconds(2)) == nil)
        #expect(meter.rate(bytes: 20, now: start + .seconds(3)) == 10)
    }
}
