import Foundation

/// A socket that listens and never accepts: the kernel takes the connections, and no response comes.
final class SilentServer {
    let url: URL
    private let descriptor: Int32

    init(backlog: Int) throws {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
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

    deinit { close(descriptor) }
}
