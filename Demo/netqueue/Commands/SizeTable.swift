import Dashboard
import NetworkQueueKit

/// The sizes that servers tell.
final class SizeTable: JobListener {
    /// By the names of the items; `nil` where the server tells none.
    private let sizes = Locked<[String: Int64?]>([:])

    func didFinish(_ operation: RequestOperation, wasCurrent: Bool) {
        let size = operation.responseHead?.expectedContentLength
        sizes.withLock { $0[operation.request.tag ?? ""] = .some(size) }
    }

    /// A line for each that was answered, in the order of `names`, and the total.
    func text(_ names: [String]) -> String {
        let sizes = self.sizes.withLock { $0 }
        let known = names.compactMap { name in sizes[name].map { (name, $0) } }
        let lines = known.map { name, size in
            column(size.map(ByteCount.text) ?? "?") + "  " + name.withoutControls() + "\n"
        }
        let unknown = known.count { $0.1 == nil }
        let total = column(ByteCount.text(known.reduce(0) { $0 + ($1.1 ?? 0) }))
        let remark = unknown > 0 ? ", \(unknown) of them of unknown size" : ""
        return lines.joined() + "\(total)  total of \(known.count) \(known.count == 1 ? "file" : "files")\(remark)\n"
    }

    private func column(_ text: String) -> String { String(repeating: " ", count: max(0, 10 - text.count)) + text }
}
