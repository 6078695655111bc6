import Foundation

/// The socket that listens at a port of 127.0.0.1, told apart from one that comes after it at the same port: the system
/// may hand the port of a server that has stopped to one of another test.
struct ListeningSocket: Equatable {
    private let inode: Substring

    /// `nil` where nothing listens there.
    init?(at port: UInt16) throws {
        #if os(Linux)
            // The kernel's table of sockets, see proc(5).
            // Not by `String(contentsOfFile:)`, which takes the length that such a file claims, and reads a page of it.
            let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp"))
            let table = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            let hexadecimal = String(port, radix: 16, uppercase: true)
            let place = "0100007F:" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
            for line in table.split(separator: "\n") {
                let columns = line.split(separator: " ")
                if columns.count > 9, columns[1] == place, columns[3] == "0A" {
                    inode = columns[9]
                    return
                }
            }
            return nil
        #else
            // Such a table takes more than a file to read; here another test's server may be taken for this one.
            guard (try? RawClient(port)) != nil else { return nil }
            inode = "\(port)"
        #endif
    }
}
