#if canImport(Glibc)
    import Foundation
    import FoundationNetworking
    import Glibc

    /// An address that never answers: a listening socket whose queue is full, so that Linux drops every SYN.
    final class UnresponsiveHost: Sendable {
        let url: URL
        private let descriptors: [Int32]

        /// - Parameters:
        ///   - connects: Whether Linux takes connections all the same, on which nothing is ever read or sent.
        ///   - number: That of the host: 1 is 127.0.0.1.
        init(connects: Bool = false, number: UInt8 = 1) throws {
            var (descriptor, address) = try Self.bound(number)
            var descriptors = [descriptor]
            guard listen(descriptor, connects ? 16 : 0) == 0 else { throw POSIXError(.EADDRINUSE) }
            // A queue of 0 takes one connection; the others make sure of it.
            for _ in 0..<(connects ? 0 : 4) {
                descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
                descriptors.append(descriptor)
                Self.withGeneric(&address) { _ = connect(descriptor, $0, $1) }
            }
            self.descriptors = descriptors
            url = try Self.url(address, number)
        }

        deinit {
            for descriptor in descriptors { close(descriptor) }
        }

        private static func bound(_ number: UInt8) throws -> (Int32, sockaddr_in) {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = (0x7F00_0000 | UInt32(number)).bigEndian
            let isBound = withGeneric(&address) { pointer, size in
                var size = size
                return bind(descriptor, pointer, size) == 0 && getsockname(descriptor, pointer, &size) == 0
            }
            guard isBound else { throw POSIXError(.EADDRINUSE) }
            return (descriptor, address)
        }

        private static func withGeneric<Result>(
            _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
        ) -> Result {
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }

        private static func url(_ address: sockaddr_in, _ number: UInt8) throws -> URL {
            guard let url = URL(string: "http://127.0.0.\(number):\(UInt16(bigEndian: address.sin_port))/") else {
                throw URLError(.badURL)
            }
            return url
        }
    }
#endif
