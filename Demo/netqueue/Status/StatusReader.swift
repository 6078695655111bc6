import Foundation
import NetworkQueueKit

/// Reads status files, which may be anyone's.
enum StatusReader {
    /// What a file says.
    enum Reading {
        /// - Parameter age: The time since the file was written.
        case status(JobStatus, age: Duration)
        case fault(String)
        /// The file or folder cannot be opened.
        case unreadable(String)
    }

    private static let largestSize = 65_536

    /// The files that the arguments name, in order; a folder stands for the status files in it.
    static func read(_ paths: [String]) -> [(path: String, reading: Reading)] {
        paths.flatMap { path -> [(path: String, reading: Reading)] in
            guard POSIXFile.isFolder(path) else { return [(path, read(path))] }
            do throws(POSIXError) {
                let names = try POSIXFile.names(in: path).filter { $0.text.ends(withBytesOf: StatusFile.suffix) }
                let start = path.ends(withBytesOf: "/") ? path : path + "/"
                return names.map { (start + $0.text, read(start + $0.text)) }
            } catch {
                return [(path, .unreadable("cannot be read: \(error.reason)"))]
            }
        }
    }

    private static func read(_ path: String) -> Reading {
        let descriptor = POSIXFile.open(path, O_RDONLY)
        guard descriptor >= 0 else { return .unreadable("cannot be read: \(POSIXError.last.reason)") }
        defer { close(descriptor) }
        guard let status = POSIXFile.status(descriptor), status.kind == S_IFREG else {
            return .fault("is not a regular file")
        }
        guard status.st_size <= largestSize else { return .fault("is larger than 64 KiB") }
        var content = [UInt8](repeating: 0, count: largestSize)
        let count = Foundation.read(descriptor, &content, content.count)
        guard count >= 0 else { return .fault("cannot be read: \(POSIXError.last.reason)") }
        do throws(JobStatus.Fault) {
            let age = Date.now.timeIntervalSince1970 - Double(status.modificationTime.tv_sec)
            return .status(try JobStatus.decode(Data(content[..<count])), age: .seconds(max(0, age)))
        } catch {
            return .fault(error.text)
        }
    }
}
