import Foundation

/// What nginx has written of its requests.
enum ServerLog {
    struct Entry {
        let connection: String
        /// Which request of its connection it was, from 1.
        let number: Int
        /// Whether the connection's handshake was a short one, with the keys of an earlier connection.
        let isResumed: Bool
        let status: Int
    }

    static func entries(of run: String, in file: URL) throws -> [Entry] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ")
            guard parts.count == 5, parts[0] == run, let number = Int(parts[2]), let status = Int(parts[4]) else {
                return nil
            }
            return Entry(connection: String(parts[1]), number: number, isResumed: parts[3] == "r", status: status)
        }
    }
}
