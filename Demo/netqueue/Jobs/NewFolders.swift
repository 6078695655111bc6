import Foundation
import NetworkQueueKit

/// The folders that a job creates; those that stay empty are removed again.
struct NewFolders: Sendable {
    /// Whether each folder that has been checked is new.
    private var isNew: [ByteText: Bool] = [:]

    /// Adds the folders of a later portion, to which the new ones of an earlier portion may not be new any more.
    mutating func add(_ later: NewFolders) { isNew.merge(later.isNew.filter(\.value)) { $0 || $1 } }

    /// Records which of the folders needed by the file at `path` do not exist yet. Returns whether its own folder, as
    /// it is written, is one of them.
    mutating func note(_ path: String) -> Bool {
        guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
        let own = ByteText(Substring(path.utf8[...end]))
        if let known = isNew[own] { return known }
        var folder = Self.standardized(own.text)
        var unknown: [ByteText] = []
        while let slash = folder.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")), isNew[ByteText(folder)] == nil {
            unknown.append(ByteText(folder))
            folder = String(Substring(folder.utf8[...slash]))
        }
        // A folder in a new folder is new, so the system is not asked about it.
        var isInNew = isNew[ByteText(folder)] == true
        for folder in unknown.reversed() {
            isInNew = isInNew || !POSIXFile.exists(folder.text)
            isNew[folder] = isInNew
        }
        if isNew[own] == nil { isNew[own] = false }
        return isNew[own] == true
    }

    /// The absolute path of a folder without `.` and `..`. Checks first whether Foundation's slow parsing is needed.
    private static func standardized(_ folder: String) -> String {
        let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
        var text = folder
        let isPlain = text.withUTF8 { bytes in
            bytes.first == slash && zip(bytes, bytes.dropFirst()).allSatisfy { $0 != slash || $1 != slash && $1 != dot }
        }
        if isPlain { return folder }
        return URL(filePath: folder, directoryHint: .isDirectory).standardizedFileURL.path(percentEncoded: false)
    }

    /// Creates a folder with all its parents; returns the reason if that fails.
    static func create(_ path: String) -> String? {
        let parts = path.parts(separatedBy: "/").filter { !$0.isEmpty }
        for depth in parts.indices {
            let folder = "/" + parts[...depth].joined(separator: "/")
            guard mkdir(folder, 0o777) != 0 else { continue }
            let error = POSIXError.last
            // The folder may exist on a file system on which nothing can be created; otherwise a file is in the way.
            if POSIXFile.isFolder(folder) { continue }
            return (error.code == .EEXIST ? POSIXError(.ENOTDIR) : error).reason
        }
        return nil
    }

    /// The reason why a folder cannot be created or used, determined without touching it; `nil` if none is known.
    static func obstacle(to path: String) -> String? {
        var folder = path
        while !POSIXFile.exists(folder), let slash = folder.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")) {
            folder = slash == folder.startIndex ? "/" : String(Substring(folder.utf8[..<slash]))
        }
        guard POSIXFile.isFolder(folder) else { return POSIXError(.ENOTDIR).reason }
        return access(folder, W_OK | X_OK) == 0 ? nil : POSIXError.last.reason
    }

    /// Removes the empty folders.
    func removeEmpty() {
        for path in isNew.filter(\.value).keys.map(\.text).sorted(by: { $0.utf8.count > $1.utf8.count }) { rmdir(path) }
    }
}
