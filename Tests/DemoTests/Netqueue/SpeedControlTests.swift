import NetworkQueueKit
import NetworkQueueTesting
import Testing
import Foundation

@testable import netqueue

struct SpeedControlTests {
    @Test func `A limit changes by a quarter, and the measured speed is the first one`() {
        let speed = SpeedControl()
        #expect(speed.next(after: nil, isFaster: false) == nil && speed.remarks == [])
        speed.note(8_000_000)
        #expect(speed.next(after: nil, isFaster: true) == 10_000_000)
        #expect(speed.next(after: 10_000_000, isFaster: false) == 7_500_000)
        #expect(speed.remarks == ["speed limited to 7.2 MiB/s"])
        speed.note(nil)
        #expect(speed.next(after: 4_000, isFaster: true) == 5_000)
    }

    @Test func `A limit never becomes none, and a low one can be left`() {
        let speed = SpeedControl()
        #expect(speed.next(after: 1_100, isFaster: false) == 1_024)
        #expect(speed.next(after: 1_024, isFaster: false) == 1_024)
        #expect(speed.next(after: 10, isFaster: false) == 10)
        #expect(speed.next(after: 1, isFaster: true) == 2)
        #expect(speed.next(after: .max, isFaster: true) == 1 << 60)
    }

    @Test func `The first limit is one that can be left, even if next to nothing was measured`() {
        let speed = SpeedControl()
        speed.note(0.3)
        #expect(speed.next(after: nil, isFaster: false) == 1_024)
        #expect(speed.next(after: nil, isFaster: true) == 1_280)
        speed.note(0)
        #expect(speed.next(after: nil, isFaster: true) == nil)
    }

    @Test func `A key limits a job to three quarters of its measured speed`() async throws {
        let rig = try JobRig()
        var options = Options()
        options.usesSizing = false
        let run = rig.start(["a"], options.configuration)
        let first = await rig.gets(1)[0]
        rig.interruption.changeSpeed(isFaster: true)
        #expect(!rig.frame().joined().contains("speed limited"))
        first.receive(headers: ["Content-Length": "90000000"])
        rig.pass(tenths: 20) { _ in first.receive(Data(count: 102_400)) }
        rig.interruption.changeSpeed(isFaster: false)
        #expect(rig.frame().contains { $0.contains("speed limited to 750 KiB/s") }, "\(rig.frame())")
        await rig.end(run)
    }
}
