import Foundation

/// The files that an interrupted download leaves beside its destination: `name.nqk.part` and `name.nqk.part.info`.
public enum PartialDownload {
    /// Removes the partial download, unless a download of this or another process is writing to it. Returns whether it
    /// was removed.
    ///
    /// Call it when the user gives up a download for good. Blocks while the file system works.
    ///
    /// - Parameter fileURL: the destination of the download.
    @discardableResult
    public static func remove(for fileURL: URL) -> Bool {
        guard let names = try? PartNames(fileURL) else { return false }
        return AbandonedParts.remove(names.part, .system)
    }
}
