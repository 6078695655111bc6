import Foundation
import NetworkQueueKit

/// The standard input as a file, because an upload needs a length and may have to be sent again.
enum SpooledInput {
    /// Copies the standard input to a temporary file and returns its path. The file disappears when the process ends.
    static func path() throws(UsageError) -> String {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        do throws(POSIXError) {
            var template = Array("\(folder)/netqueue-XXXXXX".utf8CString)
            let descriptor = mkstemp(&template)
            guard descriptor >= 0 else { throw .last }
            // From now on, only the descriptor refers to the file.
            unlink(template)
            try POSIXFile.forEachPiece(of: STDIN_FILENO) { piece throws(POSIXError) in
                guard piece.withUnsafeBytes({ POSIXFile.write($0, to: descriptor) }) else { throw .last }
            }
            return "/dev/fd/\(descriptor)"
        } catch {
            throw UsageError("cannot store standard input in “\(folder)”: \(error.reason)", code: .failure)
        }
    }
}
