import Foundation

/// What is to become of the content of a response that goes to a file.
struct FilePlan: Sendable {
    let names: PartNames
    let policy: Destination.ConflictPolicy
    /// What stands beside the part while it grows; `nil` when it cannot be continued later.
    var sidecar: Sidecar?
    /// How long the file will be, where that is certain.
    let total: Int64?
    /// When the content was last modified, as its server says.
    let modified: Date?
    /// Whether it has been looked for a part, and there was none.
    var isPartMissing = false
    /// Whether a file that has come under the name meanwhile is kept if it has the same content, as that of another run has.
    var keepsTwin = false
    /// Whether the part is read once more before it gets its name.
    var isReadAgain = false
}
