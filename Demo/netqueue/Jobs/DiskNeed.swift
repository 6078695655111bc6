import Dashboard
import NetworkQueueKit

/// What files need on a disk and what is free there; in JSON it is `space`, and one of a plan's `volumes`.
struct DiskNeed: Encodable, Hashable, Sendable {
    let needed: Int64
    /// The free bytes; `nil` if the disk does not tell.
    let free: Int64?
    /// The path of an existing folder on the disk.
    let path: String

    init(_ volume: NetworkQueue.Plan.Volume) {
        (needed, free) = (volume.neededBytes, volume.freeBytes)
        let path = volume.path
        let hasSlash = path.utf8.count > 1 && path.ends(withBytesOf: "/")
        self.path = hasSlash ? String(Substring(path.utf8.dropLast())) : path
    }

    /// What the downloads that an error is about need; `nil` for an error of another kind.
    init?(_ error: NetworkError) {
        guard let (needed, free, path) = error.space else { return nil }
        self.init(NetworkQueue.Plan.Volume(path: path, neededBytes: needed, freeBytes: free))
    }

    /// The kind of failures for lack of space.
    static let shortage = "not enough disk space"

    /// The sentence if the files do not fit.
    var text: String {
        "\(Self.shortage): the files need \(ByteCount.text(needed)), and \(path) has \(ByteCount.text(free ?? 0)) free"
    }

    /// The line about downloads that are refused because they do not fit.
    var refusal: String { "netqueue: \(text); use --no-space-check to download anyway" }
}
