import Foundation
import LoopbackHTTP

/// Compares every byte on disk with the content that the server should have sent, piece by piece.
struct Verification {
    let plan: DemoPlan
    let folder: ScratchFolder

    /// The differences found. Stops early if `isCancelled` returns true.
    func failures(isCancelled: () -> Bool) -> [JobFailure] {
        var failures: [JobFailure] = []
        for file in plan.files {
            if isCancelled() { return failures }
            if let reason = fault(in: file) { failures.append(JobFailure(source: file.path, reason: reason)) }
        }
        let count = folder.fileCount()
        if count != plan.files.count {
            failures.append(JobFailure(source: "demo", reason: "\(plan.files.count) files expected, \(count) found"))
        }
        return failures
    }

    private func fault(in file: DemoFile) -> String? {
        do {
            let isRight = try file.content.matches(contentsOf: folder.file(file.path))
            return isRight ? nil : "the content differs from what the server sent"
        } catch {
            return "the file cannot be read: \(error)"
        }
    }
}
