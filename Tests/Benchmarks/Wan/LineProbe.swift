import Foundation
import LoopbackHTTP

/// One connection with blocking calls: what the relay does to it is all that is measured.
final class LineProbe {
    private let descriptor: Int32
    /// When it began to connect.
    let start = ContinuousClock.now

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Sockets.streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw BenchmarkFailure("no connection to the relay") }
    }

    deinit { _ = close(descriptor) }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw BenchmarkFailure("the relay ended a connection") }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads until `text` has arrived in one piece, as the small responses of a check do.
    func read(until text: String) throws {
        while let bytes = try readSome() {
            if String(decoding: bytes, as: UTF8.self).contains(text) { return }
        }
        throw BenchmarkFailure("the relay ended a connection")
    }

    /// Reads to the end.
    func readAll() throws -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = try readSome() { all += bytes }
        return all
    }

    /// Tells that nothing more will be sent.
    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    private var buffer = [UInt8](repeating: 0, count: 256 * 1024)

    /// `nil` at the end.
    private func readSome() throws -> ArraySlice<UInt8>? {
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw BenchmarkFailure("the relay broke a connection") }
        return count == 0 ? nil : buffer.prefix(count)
    }
}
