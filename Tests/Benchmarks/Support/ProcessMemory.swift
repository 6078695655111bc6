import Foundation

/// Resident memory as Linux tells it; `nil` elsewhere.
enum ProcessMemory {
    /// The most that a process had since it began to run its program.
    ///
    /// `ru_maxrss` would include the parent's memory: it outlives the exec.
    static func peak(of process: pid_t) -> Int? { field("VmHWM:", of: process) }

    /// What this process has now.
    static var current: Int? { field("VmRSS:", of: getpid()) }

    private static func field(_ name: String, of process: pid_t) -> Int? {
        guard let file = fopen("/proc/\(process)/status", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = line.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
            guard text.hasPrefix(name) else { continue }
            return text.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
        }
        return nil
    }
}
