import Dashboard
import Foundation
import NetworkQueueKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A download that has failed, and why.
struct JobFailure: Hashable, Sendable {
    /// Its name, or where the line that should have been a URL stands.
    let source: String
    let reason: String
    /// What the end calls all failures of its kind; `nil` is the reason.
    var kind: String?

    /// One line for the standard error, `✗ e404: 404 Not Found`, no wider than the terminal where that is one.
    var line: String {
        let traits = TerminalTraits.current
        let mark = traits.charset == .unicode ? "✗ " : "x "
        let reason = reason.withoutControls().fitting(traits)
        let source = source.withoutControls().fitting(traits)
        guard StandardStream.error.isTerminal else { return "\(mark)\(source): \(reason)" }
        let columns = TerminalSize.current.columns - 1
        let ellipsis = traits.charset == .unicode ? "…" : "..."
        // The reason is what tells; of a long one enough of the name stays to know the file.
        let room = max(columns - mark.displayColumns - 2 - reason.displayColumns, columns / 3)
        let name = source.truncatedInTheMiddle(to: room, mark: ellipsis)
        return "\(mark)\(name): \(reason)".truncatedInTheMiddle(to: columns, mark: ellipsis)
    }
}

extension JobFailure {
    /// The failure of a request.
    init(source: String, _ error: NetworkError) {
        self.init(source: source, reason: Self.reason(error))
    }

    /// The reason where a file is in the way that must not be replaced.
    static let stale = "is there, and the server’s differs or has no date"

    private static func reason(_ error: NetworkError) -> String {
        let system = (error.underlying as? POSIXError)
        switch (error.code, system?.code) {
        case (.httpStatus(let status), _):
            return "\(status) \(HTTPURLResponse.localizedString(forStatusCode: status))"
        case (.fileSystem, .EEXIST?): return stale
        case (.fileSystem, _?): return "cannot be written: \(system?.reason ?? "")"
        default:
            // The host differs among failures that are otherwise the same.
            let host = error.url?.host().map { " (\($0))" } ?? ""
            let text = error.description.replacing(host, with: "")
            return (text.first?.lowercased() ?? "") + text.dropFirst().trimmingSuffix(while: { $0 == "." })
        }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, predicate(last) { rest.removeLast() }
        return rest
    }
}
