import Testing

@testable import NetworkQueueKit

struct RequestStateMachineTests {
    @Test func `Nothing follows the end`() {
        var machine = RequestStateMachine()
        _ = machine.handle(.start)
        guard case .finish(isCancelled: false) = machine.handle(.end) else {
            Issue.record("It did not end.")
            return
        }
        for event in [.end, .beginExchange, .stored, .cancel] as [RequestStateMachine.Event] {
            guard case .ignore = machine.handle(event) else {
                Issue.record("\(event)")
                continue
            }
        }
    }
}
