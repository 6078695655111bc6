import Dashboard
import Foundation

/// `netqueue clean DIR`: lists the parts of unfinished downloads and, on request, removes them.
struct CleanCommand {
    /// The files left by one unfinished download.
    private struct Part: Comparable {
        let path: String
        var size: Int64 = 0
        var files: [String] = []

        static func < (first: Part, second: Part) -> Bool { first.path < second.path }
    }

    let options: CleanOptions

    func run() -> Ending {
        var removed: [Part] = []
        var complaints: [String] = []
        for part in parts() {
            guard options.deletes else {
                removed.append(part)
                continue
            }
            switch remove(part) {
            case nil: removed.append(part)
            case let reason?: complaints.append("“\(part.path.withoutControls())” was not deleted: \(reason)")
            }
        }
        let lines = removed.map { column($0.size) + "  " + $0.path.withoutControls() + "\n" }
        let number = "\(removed.count) \(removed.count == 1 ? "part" : "parts")"
        let total = "\(column(removed.reduce(0) { $0 + $1.size }))  total of \(number)"
        var ending = Ending(code: .success, output: lines.joined() + total + (options.deletes ? ", deleted\n" : "\n"))
        if !complaints.isEmpty { ending.complaint = complaints.joined(separator: "\nnetqueue: ") }
        return ending
    }

    /// The parts below the folders, sorted by path. Symbolic links are not followed.
    private func parts() -> [Part] {
        var parts: [String: Part] = [:]
        for folder in options.folders {
            let start = folder.hasSuffix("/") ? folder : folder + "/"
            let names = FileManager.default.enumerator(atPath: folder)
            while let name = names?.nextObject() as? String {
                guard let suffix = RelativePath.partSuffixes.first(where: name.hasSuffix),
                    let size = SystemFile.filledSize(start + name)
                else { continue }
                let path = start + name.dropLast(suffix.count) + ".nqk.part"
                parts[path, default: Part(path: path)].files.append(start + name)
                parts[path]?.size += size
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

    private func column(_ size: Int64) -> String {
        let text = ByteCount.text(size)
        return String(repeating: " ", count: max(0, 10 - text.count)) + text
    }
}
