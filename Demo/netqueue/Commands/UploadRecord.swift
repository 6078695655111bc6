import Dashboard
import Foundation
import NetworkQueueKit

/// What an upload writes at its end: the list of `--failed`, and the checksums of `--write-checksums`.
struct UploadRecord {
    private let options: Options
    private let plan: UploadPlan
    private let checksums: SentChecksums?

    /// Checks that both files can be written, before anything is sent.
    init(_ options: Options, _ plan: UploadPlan) throws(UsageError) {
        (self.options, self.plan) = (options, plan)
        checksums = options.sentChecksums == nil ? nil : SentChecksums()
        for (path, option) in [(options.failedList, "--failed"), (options.sentChecksums, "--write-checksums")] {
            guard let path, let error = POSIXFile.obstacle(toWriting: path) else { continue }
            throw UsageError(error.complaint(writing: path, option))
        }
    }

    /// The listeners that the job needs.
    var listeners: [any JobListener] { checksums.map { [$0] } ?? [] }

    /// Writes both files. Returns a complaint if one of them cannot be written, or lacks a checksum.
    ///
    /// - Parameter unfinished: The numbers of the files that were not sent.
    func write(_ unfinished: [Int], _ output: CommandOutput) async -> String? {
        // The list first: a checksum may take long, and a second signal ends the program.
        let complaints = [writeFailed(unfinished, output), await writeChecksums()].compactMap(\.self)
        return complaints.isEmpty ? nil : complaints.joined(separator: "; ")
    }

    private func writeFailed(_ unfinished: [Int], _ output: CommandOutput) -> String? {
        guard let path = options.failedList else { return nil }
        let files = unfinished.lazy.map { plan.files[$0] }
        let unlisted = plan.bad.filter { $0.lines == nil }.map(\.source) + files.filter { $0.line == nil }.map(\.path)
        let list = "cannot be in the list of --failed"
        let remark = unlisted.remark("file \(list)", "files \(list)")
        if let remark { output.log("netqueue: \(remark)") }
        let lines = plan.bad.compactMap(\.lines) + files.compactMap(\.line).map(FailedList.Line.text)
        return FailedList.write([], lines, to: path)
    }

    private func writeChecksums() async -> String? {
        guard let path = options.sentChecksums, let checksums = await checksums?.all() else { return nil }
        var (text, missing) = ("", [String]())
        for file in plan.files {
            guard let checksum = checksums[ByteText(file.name)] else { continue }
            if let checksum {
                text += ChecksumList.line(name(of: file), checksum) + "\n"
            } else {
                missing.append(file.name)
            }
        }
        do {
            try POSIXFile.write(Array(text.utf8), to: path, mode: 0o666)
        } catch {
            return error.complaint(writing: path, "--write-checksums")
        }
        let reason = "because of a change since the upload began"
        return missing.remark("file has no checksum, \(reason)", "files have no checksum, \(reason)")?.withoutControls()
    }

    /// The file's path below the URL, or the name in a URL that is for this file alone.
    private func name(of file: UploadPlan.File) -> String {
        let path = file.target.joined(separator: "/")
        guard !options.target.ends(withBytesOf: "/"), let name = URLText.url(options.target)?.lastPathComponent,
            !name.isEmpty, name != "/"
        else { return path }
        return name
    }
}
