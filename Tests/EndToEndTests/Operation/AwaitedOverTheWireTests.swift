import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Results that are awaited, from a server.
@Suite(.timeLimit(.minutes(10)))
struct AwaitedOverTheWireTests {
    @Test(arguments: TransportKind.allCases)
    func `An awaited request ends once, whenever its task is cancelled, and leaves nothing behind`(kind: TransportKind)
        async throws
    {
        let rig = try LiveRig(kind) { $0.maxConcurrentRequestCount = 20 }
        let queue = rig.queue
        // The rig's delegate keeps the operations that it is told of.
        queue.delegate = nil
        // The library of the system is slower by itself.
        let calls = kind == .urlSession ? 500 : 2_000
        let url = rig.server.url("/content")
        let content = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0) })
        rig.server.serve("/content", .data(content))
        let census = TokenCensus()
        var generator = SplitMix64(seed: 11)
        queue.go()
        let outcomes = await withTaskGroup(of: String.self) { group in
            for number in 0..<calls {
                var request = NetworkRequest(url)
                request.userInfo["token"] = census.token()
                let task = Task { [request] in
                    guard number.isMultiple(of: 3) else { return try await queue.data(for: request) }
                    var data = Data()
                    for try await chunk in try await queue.bytes(for: request).chunks { data += chunk }
                    return data
                }
                let isCancelled = generator.next() % 3 > 0
                let delay = Int(generator.next() % 400)
                group.addTask {
                    for _ in 0..<delay { await Task.yield() }
                    if isCancelled { task.cancel() }
                    do {
                        return try await task.value == content ? "whole" : "broken"
                    } catch let error as NetworkError where error.code == .cancelled && isCancelled {
                        return "cancelled"
                    } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        let known = ["whole", "cancelled"].map { outcomes[$0, default: 0] }
        #expect(known.reduce(0, +) == calls && known[1] > 0 && known[0] > calls / 4, "\(outcomes)")
        await queue.waitUntilEmpty()
        #expect(queue.requests.isEmpty)
        let isLetGo = await eventually { census.alive == 0 }
        #expect(isLetGo, "\(census.alive) are kept")
    }
}
