#if os(Linux)
    import Foundation

    /// A port that never answers: its queue is full, so that Linux drops who asks for a connection.
    final class SilentHost {
        let port: UInt16
        private var descriptors: [Int32] = []

        init() throws {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let isListening = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, size) == 0 && getsockname(listener, $0, &size) == 0 && listen(listener, 0) == 0
                }
            }
            guard isListening else { throw POSIXError(.EADDRINUSE) }
            port = UInt16(bigEndian: address.sin_port)
            descriptors = [listener]
            // A queue of 0 takes one connection; the others make sure of it.
            for _ in 0..<4 {
                let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
                let descriptor = socket(AF_INET, Int32(type), 0)
                descriptors.append(descriptor)
                withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(descriptor, $0, size) }
                }
            }
        }

        deinit { for descriptor in descriptors { close(descriptor) } }
    }
#endif
