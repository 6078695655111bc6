import Foundation
import LoopbackHTTP

/// A socket that listens and never accepts: the kernel takes the connections, and no response comes.
final class SilentServer {
    let url: URL
    private let descriptor: Int32

    init(backlog: Int) throws {
        let descriptor = socket(AF_INET, Sockets.streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, Int32(backlog)) == 0
                    ? getsockname(descriptor, address, &length) : -1
            }
        }
        let port = UInt16(bigEndian: address.sin_port)
        guard status == 0, let url = URL(string: "http://127.0.0.1:\(port)/") else {
            throw BenchmarkFailure("no socket to listen on")
        }
        self.url = url
        self.descriptor = descriptor
    }

    /// Connects until the next one has to wait; returns the sockets that did, and that one.
    func fill() throws -> [Int32] {
        var sockets: [Int32] = []
        for _ in 0..<64 {
            let kind = Sockets.streamType
            let descriptor = socket(AF_INET, kind, 0)
            guard descriptor >= 0 else { break }
            sockets.append(descriptor)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            address.sin_port = in_port_t(url.port ?? 0).bigEndian
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&state, 1, 200) == 0 { return sockets }
        }
        for socket in sockets { close(socket) }
        throw BenchmarkFailure("the socket that listens takes more connections than it should")
    }

    deinit { close(descriptor) }
}
