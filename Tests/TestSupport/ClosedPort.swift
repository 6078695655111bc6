import Foundation
import LoopbackHTTP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A port on 127.0.0.1 that refuses connections as long as this object lives, or until it is opened.
///
/// A port that a server has just given up is not enough: the system may hand it to another server, of another test,
/// before the connection comes. This one is taken, and does not listen.
package final class ClosedPort: Sendable {
    package let port: UInt16
    private let descriptor: Int32

    package init() throws {
        descriptor = socket(AF_INET, Sockets.streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else {
            close(descriptor)
            throw POSIXError(.EADDRNOTAVAIL)
        }
    }

    deinit { close(descriptor) }

    /// Begins to take connections, so many, one after the other. Each is closed with a response to its first request.
    package func open(answering content: String, times count: Int) throws {
        // A test that fails leaves no thread behind for long.
        var timeout = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard listen(descriptor, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
        let response = "HTTP/1.1 200 OK\r\nContent-Length: \(content.utf8.count)\r\nConnection: close\r\n\r\n\(content)"
        Thread.detachNewThread { [self] in
            for _ in 0..<count {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                let socket = FileHandle(fileDescriptor: connection, closeOnDealloc: true)
                var request = Data()
                while !request.suffix(4).elementsEqual("\r\n\r\n".utf8), let data = try? socket.read(upToCount: 1),
                    !data.isEmpty
                {
                    request += data
                }
                try? socket.write(contentsOf: Data(response.utf8))
            }
        }
    }

    /// `http://127.0.0.1:PORT` and the path, which begins with a slash.
    package func url(_ path: String, scheme: String = "http") throws -> URL {
        guard let url = URL(string: "\(scheme)://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
        return url
    }
}
