import Testing

@testable import NetworkQueueKit

struct AlarmSetTests {
    private enum Purpose: Hashable {
        case meal, train
    }

    private final class Call: ScheduledCall {
        func cancel() {}
    }

    private var alarms = AlarmSet<Purpose>()

    @Test mutating func `An alarm set to the time that it has is not changed`() {
        #expect(alarms.set(.meal, to: .seconds(5)) == true)
        #expect(alarms.set(.meal, to: .seconds(5)) == false)
        #expect(alarms.set(.meal, to: .seconds(6)) && alarms.deadline(of: .meal) == .seconds(6))
        #expect(alarms.set(.meal, to: nil) && alarms.deadline(of: .meal) == nil)
        #expect(alarms.set(.meal, to: nil) == false)
    }

    @Test mutating func `Each purpose has an alarm of its own`() {
        let call = Call()
        #expect(alarms.set(.meal, to: .seconds(5)) && alarms.set(.train, to: .seconds(5)))
        #expect(alarms.replaceCall(of: .meal, with: call) == nil)
        #expect(alarms.replaceCall(of: .train, with: nil) == nil)
        #expect(alarms.didRing(.train, at: .seconds(5)) == true)
        #expect(alarms.deadline(of: .meal) == .seconds(5) && alarms.deadline(of: .train) == nil)
        #expect(alarms.replaceCall(of: .meal, with: nil) === call)
    }

    @Test mutating func `A call that is replaced is returned, to be canceled`() {
        let calls = [Call(), Call()]
        #expect(alarms.replaceCall(of: .meal, with: calls[0]) == nil)
        #expect(alarms.replaceCall(of: .meal, with: calls[1]) === calls[0])
        #expect(alarms.replaceCall(of: .meal, with: nil) === calls[1])
        #expect(alarms.replaceCall(of: .meal, with: nil) == nil)
    }

    @Test mutating func `An alarm rings once, and may be set to the same time again`() {
        _ = alarms.set(.meal, to: .seconds(5))
        _ = alarms.replaceCall(of: .meal, with: Call())
        #expect(alarms.didRing(.meal, at: .seconds(5)) == true)
        #expect(alarms.didRing(.meal, at: .seconds(5)) == false)
        #expect(alarms.deadline(of: .meal) == nil && alarms.replaceCall(of: .meal, with: nil) == nil)
        #expect(alarms.set(.meal, to: .seconds(5)) == true)
    }

    @Test mutating func `A ring for a time that no longer counts is ignored`() {
        let call = Call()
        _ = alarms.set(.meal, to: .seconds(5))
        _ = alarms.set(.meal, to: .seconds(9))
        _ = alarms.replaceCall(of: .meal, with: call)
        #expect(alarms.didRing(.meal, at: .seconds(5)) == false)
        #expect(alarms.deadline(of: .meal) == .seconds(9) && alarms.replaceCall(of: .meal, with: nil) === call)
        _ = alarms.set(.meal, to: nil)
        #expect(alarms.didRing(.meal, at: .seconds(9)) == false)
    }
}
