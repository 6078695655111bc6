import Dashboard
import Foundation
import NetworkQueueKit

/// Collects the sizes that servers report, and the names of items whose HEAD was refused.
///
/// It forwards all events to other listeners, except the end of a refused HEAD, because that item is requested again by
/// GET.
final class SizeTable: JobListener {
    /// The statuses with which servers refuse HEAD only; presigned URLs answer 403.
    static let refusals = [400, 403, 405, 501]

    private struct State {
        /// The sizes by item name; `nil` if the server does not report one.
        var sizes: [String: Int64?] = [:]
        var refused: Set<String> = []
    }

    private let listeners: [any JobListener]
    private let state = Locked(State())

    init(_ listeners: [any JobListener]) { self.listeners = listeners }

    /// The names of the items whose HEAD was refused.
    var refused: Set<String> { state.withLock { $0.refused } }

    func receive(_ event: JobEvent) {
        if case .finished(let operation, _, _) = event {
            let head = operation.responseHead
            if operation.request.method == "HEAD", let status = head?.statusCode, Self.refusals.contains(status) {
                return state.withLock { _ = $0.refused.insert(operation.itemName) }
            }
            state.withLock { $0.sizes[operation.itemName] = .some(head?.wholeLength) }
        }
        for listener in listeners { listener.receive(event) }
    }

    /// The sum of the known sizes; the largest number if the sum is larger.
    var total: Int64 { state.withLock { $0.sizes.values.reduce(0) { $0.adding($1 ?? 0) ?? .max } } }

    /// One line for each answered item, in the order of `names`, and the total.
    func text(_ names: [String]) -> String {
        let sizes = state.withLock { $0.sizes }
        let known = names.compactMap { name in sizes[name].map { (name, $0) } }
        let lines = known.map { name, size in
            Self.column(size) + "  " + name.withoutControls() + "\n"
        }
        let unknown = known.count { $0.1 == nil }
        let total = Self.column(total)
        let remark = unknown > 0 ? ", \(unknown) of unknown size" : ""
        return lines.joined() + "\(total)  total of \(known.count) \(known.count == 1 ? "file" : "files")\(remark)\n"
    }

    /// A size in a column of a table; `?` if it is unknown.
    static func column(_ size: Int64?) -> String {
        let text = size.map(ByteCount.text) ?? "?"
        return String(repeating: " ", count: max(0, 10 - text.count)) + text
    }
}

extension ResponseHead {
    /// The length of the whole content. If there is a `Content-Range`, it is the number after the slash: `bytes
    /// 0-0/5000`, or `bytes */5000` in a 416. `nil` if the response is not about the content.
    var wholeLength: Int64? {
        guard ![202, 204, 205].contains(statusCode) else { return nil }
        guard let range = headers["Content-Range"] else { return expectedContentLength }
        return range.split(separator: "/").last.flatMap { Int64($0) }
    }
}
