import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// What the process has: descriptors, threads and memory. Known on Linux only.
struct Census {
    private static let maximumGrowth = 256 << 20

    private let descriptors: Int
    private let threads: Int
    private let memory: Int

    /// Counts after the connections of the shared transport have been closed but for one, so that two censuses can be
    /// compared.
    init() async {
        await Self.closeIdleConnections()
        (descriptors, threads, memory) = (
            Self.openFiles.count, Self.entries("/proc/self/task").count, Self.memoryInUse
        )
    }

    /// Checks that the process has no more than at the time of this census.
    func check(_ faults: Faults) async {
        var now = await Census()
        // Idle threads of Dispatch end after a while.
        let end = ContinuousClock().now + .seconds(30)
        while now.descriptors > descriptors || now.threads > threads, ContinuousClock().now < end {
            now = await Census()
        }
        faults.expect(
            now.descriptors <= descriptors,
            "\(now.descriptors) descriptors, \(descriptors) before: \(Self.openFiles.joined(separator: ", "))")
        faults.expect(now.threads <= threads, "\(now.threads) threads, \(threads) before")
        faults.expect(
            now.memory <= memory + Self.maximumGrowth, "\(now.memory >> 20) MiB of memory, \(memory >> 20) before")
    }

    /// Operations without a queue use the shared transport, which stays. libcurl closes connections that their servers
    /// have closed when it looks for one, at most once a second.
    private static func closeIdleConnections() async {
        try? await Task.sleep(for: .seconds(1.1))
        guard let server = try? LoopbackServer(recordsRequests: false) else { return }
        server.serve("/") { _ in .text("") }
        let operation = RequestOperation(NetworkRequest(server.url("/")))
        operation.start()
        _ = try? await operation.response()
        server.stop()
    }

    /// What the descriptors refer to: paths, sockets, pipes.
    private static var openFiles: [String] {
        let folder = "/proc/self/fd"
        return entries(folder).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
    }

    private static func entries(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// The resident size. ThreadSanitizer keeps each stack that it has seen, so with it only what is allocated counts.
    private static var memoryInUse: Int {
        if let function = dlsym(nil, "__sanitizer_get_current_allocated_bytes") {
            return unsafeBitCast(function, to: (@convention(c) () -> Int).self)()
        }
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4096
    }
}

/// Weak references to the objects of a round, none of which may survive it.
final class Remains: Sendable {
    private struct Weak: Sendable { weak let object: (any AnyObject & Sendable)? }

    private let objects = Guarded<[Weak]>([])

    func note(_ object: any AnyObject & Sendable) { objects.withLock { $0.append(Weak(object: object)) } }

    /// The objects that are still there.
    var left: [String] { objects.withLock { $0.compactMap { $0.object.map { "\($0)" } } } }
}
