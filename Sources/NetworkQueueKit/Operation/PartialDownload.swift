import Foundation

/// What an interrupted download has left beside its destination: `name.nqk.part` and `name.nqk.part.info`.
public enum PartialDownload {
    /// Removes it, unless a download of this or another process is writing to it; returns whether there was something.
    ///
    /// An app calls it when its user gives up a download for good. Blocks for as long as the file system takes.
    ///
    /// - Parameter fileURL: the destination of the download.
    @discardableResult
    public static func remove(for fileURL: URL) -> Bool {
        guard let names = try? PartNames(fileURL) else { return false }
        return AbandonedParts.remove(names.part, .system)
    }
}
