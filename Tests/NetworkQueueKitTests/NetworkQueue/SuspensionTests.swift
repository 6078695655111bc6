import Testing

@testable import NetworkQueueKit

@Suite("Suspension") struct SuspensionTests {
    /// A suspension whose changes may be asked for in an expectation.
    private final class Subject {
        private var suspension: Suspension

        init(isSuspended: Bool = false) { suspension = Suspension(isSuspended: isSuspended) }

        var isSuspended: Bool { suspension.isSuspended }

        func beginChange(to isSuspended: Bool? = nil) { suspension.beginChange(to: isSuspended) }

        func endChange(isPaused: Bool?) -> Bool? { suspension.endChange(isPaused: isPaused) }

        func adopt(isPaused: Bool) -> Bool { suspension.adopt(isPaused: isPaused) }
    }

    private let suspension = Subject()

    @Test(arguments: [false, true]) func `shows nothing where both agree, or there is no progress`(isSuspended: Bool) {
        let suspension = Subject(isSuspended: !isSuspended)
        suspension.beginChange(to: isSuspended)
        #expect(suspension.isSuspended == isSuspended)
        #expect(suspension.endChange(isPaused: isSuspended) == nil)
        suspension.beginChange(to: !isSuspended)
        #expect(suspension.endChange(isPaused: nil) == nil)
        #expect(suspension.isSuspended == !isSuspended)
    }

    @Test(arguments: [false, true]) func `has what is asked for shown`(isSuspended: Bool) {
        suspension.beginChange(to: isSuspended)
        #expect(suspension.endChange(isPaused: !isSuspended) == isSuspended)
        #expect(suspension.endChange(isPaused: isSuspended) == nil)
        #expect(!suspension.adopt(isPaused: isSuspended))
    }

    @Test func `shows what it is in a progress that comes later`() {
        suspension.beginChange(to: true)
        _ = suspension.endChange(isPaused: nil)
        suspension.beginChange()
        #expect(suspension.endChange(isPaused: false) == true)
        #expect(suspension.endChange(isPaused: true) == nil && suspension.isSuspended)
    }

    @Test func `leaves it to the change that ends last to make both agree`() {
        suspension.beginChange(to: true)
        #expect(suspension.endChange(isPaused: false) == true)
        // Before that one shows it, the queue is set to go on, and its progress is paused.
        suspension.beginChange(to: false)
        #expect(suspension.endChange(isPaused: false) == nil)
        suspension.beginChange(to: true)
        #expect(suspension.endChange(isPaused: true) == nil)
        #expect(suspension.endChange(isPaused: true) == nil && suspension.isSuspended)
    }

    @Test func `shows once more what another change has undone`() {
        suspension.beginChange(to: false)
        suspension.beginChange(to: true)
        #expect(suspension.endChange(isPaused: false) == nil)
        #expect(suspension.endChange(isPaused: false) == true)
        // It is paused; then another resumes it, and a third suspends the queue.
        suspension.beginChange(to: false)
        #expect(suspension.endChange(isPaused: false) == nil)
        suspension.beginChange(to: true)
        #expect(suspension.endChange(isPaused: false) == nil)
        #expect(suspension.endChange(isPaused: false) == true)
        #expect(suspension.endChange(isPaused: true) == nil)
    }

    @Test func `does not tell a progress again that does not do what it is told`() {
        for _ in 0..<2 {
            suspension.beginChange(to: true)
            #expect(suspension.endChange(isPaused: false) == true)
            #expect(suspension.endChange(isPaused: false) == nil)
        }
        #expect(suspension.isSuspended)
    }

    @Test func `adopts what the progress was made without a change of the queue's`() {
        #expect(suspension.adopt(isPaused: true) && suspension.isSuspended)
        #expect(!suspension.adopt(isPaused: true))
        #expect(suspension.adopt(isPaused: false) && !suspension.isSuspended)
    }

    @Test func `adopts nothing while a change is under way`() {
        suspension.beginChange(to: true)
        #expect(!suspension.adopt(isPaused: false))
        #expect(suspension.endChange(isPaused: false) == true)
        #expect(!suspension.adopt(isPaused: false) && suspension.isSuspended)
    }
}
