import Foundation
import LoopbackHTTP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One connection to the server under test, bytes in and bytes out. It knows nothing of the library.
final class RawClient {
    /// What a connection can end with.
    enum Failure: Error, Equatable {
        case closed
        case reset
        case timedOut
        case refused
    }

    private var descriptor: Int32
    private var received: [UInt8] = []

    init(_ port: UInt16) throws {
        descriptor = socket(AF_INET, Sockets.streamType, 0)
        // A failing test must end; nothing here takes as long otherwise.
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            // There is nothing to wait for, see `hangUp()`.
            close(descriptor)
            descriptor = -1
            throw Failure.refused
        }
    }

    deinit { hangUp() }

    /// Closes the connection. When it returns, the server's side of the system knows.
    ///
    /// Without that wait, a client that connects anew may be seen first: on a busy machine the system does not keep
    /// this FIN and the next connection's SYN in order.
    func hangUp() {
        guard descriptor >= 0 else { return }
        shutdown(descriptor, Int32(SHUT_WR))
        let limit = ContinuousClock.now + .seconds(2)
        while unacknowledgedByteCount > 0, .now < limit { sched_yield() }
        close(descriptor)
        descriptor = -1
    }

    /// What has been sent, the FIN included, and has not reached the other side's system.
    private var unacknowledgedByteCount: Int32 {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? count : 0
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                systemSend(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, flags)
            }
            guard count > 0 else { throw Failure.closed }
            sent += count
        }
    }

    /// Sends a request without a body and reads its response.
    func get(_ target: String, method: String = "GET", headers: String = "") throws -> RawResponse {
        try request(target, method: method, headers: headers)
        return try response(to: method)
    }

    /// Sends a request without a body.
    func request(_ target: String, method: String = "GET", headers: String = "") throws {
        try send("\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(headers)\r\n")
    }

    /// Reads a response, interim or final.
    func response(to method: String = "GET") throws -> RawResponse {
        var response = try RawResponse(head: readHead())
        if method == "HEAD" || response.status < 200 || response.status == 204 || response.status == 304 {
            return response
        }
        if response["Transfer-Encoding"] == "chunked" {
            while let size = Int(try readLine(), radix: 16), size > 0 {
                response.chunkSizes.append(size)
                response.body += try read(size)
                _ = try readLine()
            }
            while case let line = try readLine(), !line.isEmpty { response.trailers.append(line) }
        } else if let length = response["Content-Length"].flatMap(Int.init) {
            response.body = try read(length)
        } else {
            response.body = try readToEnd()
        }
        return response
    }

    func readHead() throws -> [String] {
        var lines: [String] = []
        while case let line = try readLine(), !line.isEmpty { lines.append(line) }
        return lines
    }

    func read(_ count: Int) throws -> [UInt8] {
        while received.count < count { try receive() }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    /// Everything until the server's FIN.
    func readToEnd() throws -> [UInt8] {
        do {
            while true { try receive() }
        } catch Failure.closed {
            defer { received = [] }
            return received
        }
    }

    private func readLine() throws -> String {
        var searched = 0
        while true {
            if let end = received[searched...].firstIndex(of: 0x0A) {
                defer { received.removeFirst(end + 1) }
                return String(decoding: received[..<end], as: UTF8.self).trimmingCharacters(in: ["\r"])
            }
            searched = received.count
            try receive()
        }
    }

    private func receive() throws {
        let count = try withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count < 0 { throw errno == ECONNRESET ? Failure.reset : Failure.timedOut }
            received.append(contentsOf: buffer[..<count])
            return count
        }
        if count == 0 { throw Failure.closed }
    }
}

/// The C function, out of the reach of the method of the same name.
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(descriptor, bytes, count, flags)
}
