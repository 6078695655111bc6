import Dashboard
import Foundation
import NetworkQueueKit

/// `netqueue clean DIR`: lists the parts of unfinished downloads and, on request, removes them.
struct CleanCommand {
    /// The files left by one unfinished download.
    private struct Part: Comparable {
        let path: String
        var size: Int64 = 0
        var files: [String] = []

        static func < (first: Part, second: Part) -> Bool { ByteText(first.path) < ByteText(second.path) }
    }

    let options: Options

    func run() -> Ending {
        var removed: [Part] = []
        var complaints: [String] = []
        for part in parts() {
            if options.deletes, let reason = remove(part) {
                complaints.append("“\(part.path.withoutControls())” was not deleted: \(reason)")
            } else {
                removed.append(part)
            }
        }
        let lines = removed.map { SizeTable.column($0.size) + "  " + $0.path.withoutControls() + "\n" }
        let total = SizeTable.total(removed.reduce(0) { $0.addingSaturated($1.size) }, removed.count, of: "part")
        var ending = Ending(code: .success, output: lines.joined() + total + (options.deletes ? ", deleted\n" : "\n"))
        if !complaints.isEmpty { ending.complaint = complaints.joined(separator: "\nnetqueue: ") }
        return ending
    }

    /// The parts below the folders, sorted by path. Symbolic links are not followed.
    private func parts() -> [Part] {
        var parts: [ByteText: Part] = [:]
        // Not Foundation's enumerator, which passes over names that begin with a combining mark.
        var folders = options.operands
        while let folder = folders.popLast() {
            let start = folder.ends(withBytesOf: "/") ? folder : folder + "/"
            for case (let name, isText: true) in (try? POSIXFile.names(in: folder)) ?? [] {
                let file = start + name
                if POSIXFile.isFolder(file), !POSIXFile.isLink(file) { folders.append(file) }
                guard let suffix = PartNames.suffixes.first(where: name.ends),
                    let size = POSIXFile.filledSize(file)
                else { continue }
                let path = start + Substring(name.utf8.dropLast(suffix.utf8.count)) + PartNames.suffix
                parts[ByteText(path), default: Part(path: path)].files.append(file)
                parts[ByteText(path)]?.size += size
            }
        }
        return parts.values.sorted()
    }

    /// Removes a part that no running download uses; returns the reason if it is kept.
    private func remove(_ part: Part) -> String? {
        let descriptor = open(part.path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        // A download holds this lock while it writes.
        if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            return "a download is writing to it"
        }
        for file in part.files where unlink(file) != 0 && errno != ENOENT { return POSIXError.last.reason }
        return nil
    }
}
