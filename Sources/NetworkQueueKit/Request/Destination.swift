import Foundation

/// Where the content of a response goes.
public enum Destination: Sendable, Hashable {
    /// What happens when the file is there already.
    public enum ConflictPolicy: Sendable, Hashable {
        /// The request fails with `.fileSystem` and the file stays as it is.
        case fail
        /// The new file takes its place in one step.
        case overwrite
        /// The new file gets the next free name: `name-2.ext`, `name-3.ext`, and so on.
        case unique
    }

    /// Kept in memory and handed over as `data`.
    case memory
    /// Written beside the URL under a temporary name and moved there in one step when it is whole.
    ///
    /// Missing parent folders are created. Nothing is ever at the URL but a whole file.
    case file(URL, onConflict: ConflictPolicy = .fail, resume: Bool = true)
    /// Counted and thrown away.
    case discard
}
