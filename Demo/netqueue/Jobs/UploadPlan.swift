import Foundation
import NetworkQueueKit

/// The files that an upload sends, with their targets.
struct UploadPlan {
    /// A file to send.
    struct File {
        let path: String
        /// The path below the URL.
        let target: [String]
        /// The name in messages.
        let name: String
    }

    /// The files in order, without duplicates.
    private(set) var files: [File] = []
    /// Lines of lists and contents of folders that cannot be sent.
    private(set) var bad: [JobFailure] = []
    private let isRecursive: Bool

    /// Finds the files. An unreadable file on the command line is a usage error.
    init(_ options: Options) throws(UsageError) {
        isRecursive = options.isRecursive
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
    }

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
            let reason =
                if !isText {
                    Self.notText
                } else if POSIXFile.isSpecial(path) {
                    "is not a regular file"
                } else if POSIXFile.isFolder(path), POSIXFile.isLink(path) {
                    // The link may lead to a folder that contains it.
                    "is a link to a folder; links to folders are not followed"
                } else {
                    add(path, as: target + [name], named: (target + [name]).joined(separator: "/"))
                }
            if let reason { bad.append(JobFailure(source: path, reason: reason, code: .file)) }
        }
        return nil
    }

    private static let notText = "cannot be sent: its name is not UTF-8"

    // MARK: Lists

    private mutating func add(list: String) throws(UsageError) {
        let isInput = list == Options.standardInput
        let content = try POSIXFile.readText(list, for: "the list", isInput: isInput)
        let name = isInput ? "standard input" : list
        let text = String(decoding: content, as: UTF8.self)
        for (index, line) in text.listLines.enumerated() {
            let pieces = line.tabSeparated
            guard let path = pieces.first, path.utf8.first != UInt8(ascii: "#") else { continue }
            let place = "\(name):\(index + 1)"
            switch target(pieces.dropFirst()) {
            case .failure(let fault):
                bad.append(JobFailure(source: place, reason: fault.message, kind: "invalid list line", code: .line))
            case .success(let target):
                // In a list, a hyphen is a file name.
                let isInvalid = path.utf8.contains(0xEF) && path.unicodeScalars.contains("\u{FFFD}")
                let file = path == Options.standardInput ? "./-" : String(path)
                guard let reason = isInvalid && !POSIXFile.exists(file) ? Self.notText : add(file, as: target) else {
                    continue
                }
                bad.append(
                    JobFailure(
                        source: place, reason: "“\(String(path).shortened(to: 300))” \(reason)", kind: "cannot be read",
                        code: .file))
            }
        }
    }

    /// The target that the fields of a line specify; `nil` if the file's name decides.
    private func target(_ fields: some Sequence<Substring>) -> Result<[String]?, UsageError> {
        var target: [String]?
        for field in fields {
            let field = field.withoutIndent
            let value = field.parts(separatedBy: "=", maxSplits: 1).last.map(String.init) ?? ""
            guard field.starts(withBytesOf: "out="), let parts = RelativePath.components(of: value) else {
                let field = String(field).shortened(to: 200)
                return .failure(UsageError("invalid field “\(field)”; expected out= with a path below the URL"))
            }
            target = parts
        }
        return .success(target)
    }
}
