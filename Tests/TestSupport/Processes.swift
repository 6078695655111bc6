import Foundation

/// Whether a process has ended, which may be nobody's child.
///
/// A container's first process may leave it unreaped for good, so that `kill` would still find it.
package func hasEnded(_ process: pid_t) -> Bool {
    if kill(process, 0) != 0 { return true }
    let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .isoLatin1)
    return status?.contains(") Z ") == true
}
