import Dispatch
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct CallbackQueueWaitTests {
    /// Waits in a block of the target of a callback queue, for a callback that is posted before.
    private static func waitInTarget(_ attributes: DispatchQueue.Attributes, isSignaled: Bool = false) async {
        let callbacks = CallbackQueue(target: DispatchQueue(label: "target", attributes: attributes))
        await withCheckedContinuation { continuation in
            callbacks.target.async {
                let semaphore = DispatchSemaphore(value: isSignaled ? 1 : 0)
                callbacks.post { semaphore.signal() }
                callbacks.wait(for: semaphore, in: "wait()")
                continuation.resume()
            }
        }
    }

    @Test func `A wait elsewhere ends with the signal of a callback`() async {
        let callbacks = CallbackQueue(target: DispatchQueue(label: "target"))
        await onThread {
            let semaphore = DispatchSemaphore(value: 0)
            callbacks.post { semaphore.signal() }
            callbacks.wait(for: semaphore, in: "wait()")
        }
    }

    @Test func `A wait inside a callback stops the program with an explanation`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let callbacks = CallbackQueue(target: DispatchQueue(label: "target", attributes: .concurrent))
            await withCheckedContinuation { continuation in
                callbacks.post {
                    callbacks.wait(for: DispatchSemaphore(value: 1), in: "wait()")
                    continuation.resume()
                }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("wait() was called inside a callback"), "\(text)")
    }

    @Test func `A wait in a block of a serial target stops the program after a second, with an explanation`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await Self.waitInTarget([])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("on the queue that runs the callbacks, \"target\""), "\(text)")
    }

    @Test func `A wait in a block of a serial target ends with a signal from elsewhere within a second`() async {
        await Self.waitInTarget([], isSignaled: true)
    }

    @Test func `A wait in a block of a concurrent target ends with the signal of a callback`() async {
        await Self.waitInTarget(.concurrent)
    }

    @Test func `A wait in a block of a concurrent target goes on for longer than a second`() async {
        let callbacks = CallbackQueue(target: DispatchQueue(label: "target", attributes: .concurrent))
        await withCheckedContinuation { continuation in
            callbacks.target.async {
                let semaphore = DispatchSemaphore(value: 0)
                DispatchQueue.global().asyncAfter(deadline: .now() + 1.5) { callbacks.post { semaphore.signal() } }
                callbacks.wait(for: semaphore, in: "wait()")
                continuation.resume()
            }
        }
    }

    @Test func `A wait in a block of another callback queue's target ends with the signal of a callback`() async {
        let callbacks = CallbackQueue(target: DispatchQueue(label: "target"))
        let other = CallbackQueue(target: DispatchQueue(label: "other"))
        await withCheckedContinuation { continuation in
            other.post {
                let semaphore = DispatchSemaphore(value: 0)
                callbacks.post { semaphore.signal() }
                callbacks.wait(for: semaphore, in: "wait()")
                continuation.resume()
            }
        }
    }
}
