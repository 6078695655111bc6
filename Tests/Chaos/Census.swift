import Foundation
import NetworkQueueKit

/// What the process has: descriptors, threads and memory. Known on Linux only.
struct Census {
    private static let maximumGrowth = 256 << 20

    private let descriptors = Self.entries("/proc/self/fd")
    private let threads = Self.entries("/proc/self/task")
    private let memory = Self.residentSize

    /// Checks that the process has no more than at the time of this census.
    func check(_ faults: Faults) async {
        // Idle threads of Dispatch end after a while, and idle connections after two minutes.
        _ = await eventually(within: 150) {
            Self.entries("/proc/self/fd") <= descriptors && Self.entries("/proc/self/task") <= threads
        }
        let now = Census()
        faults.expect(now.descriptors <= descriptors, "\(now.descriptors) descriptors, \(descriptors) before")
        faults.expect(now.threads <= threads, "\(now.threads) threads, \(threads) before")
        faults.expect(
            now.memory <= memory + Self.maximumGrowth, "\(now.memory >> 20) MiB of memory, \(memory >> 20) before")
    }

    private static func entries(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }

    private static var residentSize: Int {
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
