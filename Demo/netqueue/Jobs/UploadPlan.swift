import Foundation
import NetworkQueueKit

/// The files that an upload sends, with their targets.
struct UploadPlan {
    /// A file to send.
    struct File {
        let path: String
        /// The path below the URL.
        let target: [String]
        /// The name in messages, unique within the plan.
        fileprivate(set) var name: String

        /// The line of a list for the file; `nil` if no line stands for it.
        var line: String? { UploadLine.text(path, as: target) }
    }

    /// The files in order, without duplicates.
    private(set) var files: [File] = []
    /// Lines of lists and contents of folders that cannot be sent. Those without lines cannot be in a list.
    private(set) var bad: [JobFailure] = []
    private let isRecursive: Bool
    private let shard: Options.Shard?

    /// Finds the files. An unreadable file on the command line is a usage error.
    init(_ options: Options) throws(UsageError) {
        (isRecursive, shard) = (options.isRecursive, options.shard)
        for path in options.operands.dropLast() {
            if path == Options.standardInput {
                files.append(File(path: path, target: [], name: path))
                continue
            }
            if let reason = add(path) { throw UsageError("“\(path)” \(reason)") }
        }
        for list in options.lists { try add(list: list) }
        var seen: Set<[ByteText]> = []
        files = files.filter { file in seen.insert(([file.path] + file.target).map { ByteText($0) }).inserted }
        let names = Dictionary(grouping: files.indices) { ByteText(files[$0].name) }
        for index in names.values.filter({ $0.count > 1 }).joined() {
            files[index].name += " -> " + files[index].target.joined(separator: "/")
        }
        // Only now, so that a file has the same name in every run.
        files = files.filter { isOfShard($0.target.joined(separator: "/")) }
    }

    /// Whether a file or a failure belongs to this run. Machines may have the same files in different folders, so the
    /// path below the URL decides.
    private func isOfShard(_ text: String) -> Bool { shard.map { $0.contains(text) } ?? true }

    /// Adds a file, or a folder with everything in it; returns the reason if that fails.
    private mutating func add(_ path: String, as target: [String]? = nil, named displayName: String? = nil) -> String? {
        let name = path.parts(separatedBy: "/").last { !$0.isEmpty }.map(String.init) ?? ""
        if isRecursive, POSIXFile.isFolder(path) {
            // As in cp, the contents of “.” or “..” go directly below the target, here the URL.
            return walk(path, below: target ?? ([".", "..", ""].contains(name) ? [] : [name]))
        }
        if let error = POSIXFile.obstacle(to: path) {
            return "cannot be read: \(error.reason)" + (error.code == .EISDIR ? "; use -r to send a folder" : "")
        }
        files.append(File(path: path, target: target ?? [name], name: displayName ?? path))
        return nil
    }

    private mutating func walk(_ folder: String, below target: [String]) -> String? {
        guard access(folder, R_OK | X_OK) == 0 else { return "cannot be read: \(POSIXError.last.reason)" }
        let names: [POSIXFile.Name]
        do { names = try POSIXFile.names(in: folder) } catch { return "cannot be read: \(error.reason)" }
        for case let (name, isText) in names {
            let path = folder.ends(withBytesOf: "/") ? folder + name : "\(folder)/\(name)"
            let isLinkToFolder = isText && POSIXFile.isFolder(path) && POSIXFile.isLink(path)
            let reason =
                if !isText {
                    Self.notText
                } else if POSIXFile.isSpecial(path) {
                    "is not a regular file"
                } else if isLinkToFolder {
                    // The link may lead to a folder that contains it.
                    "is a link to a folder; links to folders are not followed"
                } else {
                    add(path, as: target + [name], named: (target + [name]).joined(separator: "/"))
                }
            guard let reason, isOfShard((target + [name]).joined(separator: "/")) else { continue }
            // A list that names a link to a folder has it followed.
            let line = isText && !isLinkToFolder ? UploadLine.text(path, as: target + [name]) : nil
            bad.append(JobFailure(source: path, reason: reason, lines: line.map { .text($0) }, code: .file))
        }
        return nil
    }

    private static let notText = "cannot be sent: its name is not UTF-8"

    private mutating func add(list: String) throws(UsageError) {
        let isInput = list == Options.standardInput
        let content = try POSIXFile.readText(list, for: "the list", isInput: isInput)
        let name = isInput ? "standard input" : list
        let text = String(decoding: content, as: UTF8.self)
        for (index, text) in text.listLines.enumerated() {
            let place = "\(name):\(index + 1)"
            var failure: JobFailure?
            do throws(UsageError) {
                guard let line = try UploadLine(text) else { continue }
                let isInvalid = line.path.utf8.contains(0xEF) && line.path.unicodeScalars.contains("\u{FFFD}")
                let isText = !isInvalid || POSIXFile.exists(line.path)
                if let reason = isText ? add(line.path, as: line.target) : Self.notText {
                    failure = JobFailure(
                        source: place, reason: "“\(line.path.shortened(to: 300))” \(reason)", kind: "cannot be read",
                        lines: isText ? .text(String(text)) : nil, code: .file)
                }
            } catch {
                failure = JobFailure(
                    source: place, reason: error.message, kind: "invalid list line", lines: .text(String(text)),
                    code: .line)
            }
            if let failure, isOfShard(String(text)) { bad.append(failure) }
        }
    }
}
