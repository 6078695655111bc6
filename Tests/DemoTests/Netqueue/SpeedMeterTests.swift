import Testing

@testable import netqueue

@Suite("The speed of one transfer")
struct SpeedMeterTests {
    private let start = ContinuousClock.now

    @Test func `is not known in the first second`() {
        var meter = SpeedMeter()
        #expect(meter.rate(bytes: 0, now: start) == nil)
        #expect(meter.rate(bytes: 500, now: start + .milliseconds(999)) == nil)
        #expect(meter.rate(bytes: 1000, now: start + .seconds(1)) == 1000)
        #expect(meter.rate(bytes: 1900, now: start + .milliseconds(1500)) == 1000)
    }

    @Test func `follows what happens, without jumping`() {
        var meter = SpeedMeter()
        _ = meter.rate(bytes: 0, now: start)
        _ = meter.rate(bytes: 1000, now: start + .seconds(1))
        #expect(meter.rate(bytes: 1000, now: start + .seconds(2)) == 500)
        #expect(meter.rate(bytes: 1000, now: start + .seconds(4)) == 250)
    }

    @Test func `begins anew with another attempt`() {
        var meter = SpeedMeter()
        _ = meter.rate(bytes: 0, now: start)
        _ = meter.rate(bytes: 1000, now: start + .seconds(1))
        #expect(meter.rate(bytes: 10, now: start + .seconds(2)) == nil)
        #expect(meter.rate(bytes: 20, now: start + .seconds(3)) == 10)
    }
}
