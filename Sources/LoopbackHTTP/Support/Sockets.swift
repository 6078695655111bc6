import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The socket calls that differ between Linux and Darwin.
package enum Sockets {
    // Glibc imports `SOCK_STREAM` as an enum value, Darwin as a number.
    #if canImport(Glibc)
        package static let streamType = Int32(SOCK_STREAM.rawValue)
        private static let sendFlags = Int32(MSG_NOSIGNAL)
    #else
        package static let streamType = SOCK_STREAM
        private static let sendFlags: Int32 = 0
    #endif

    /// The current `errno` as a Swift error.
    static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// Creates a non-blocking socket that listens on a free port of 127.0.0.1.
    static func listen(backlog: Int32) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw lastError }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) != 0
                    || systemListen(descriptor, backlog) != 0
                    || getsockname(descriptor, generic, &length) != 0
            }
        }
        guard !failed else {
            let error = lastError
            close(descriptor)
            throw error
        }
        closeOnExec(descriptor)
        setBlocking(descriptor, false)
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Accepts one connection, or returns `nil` with `errno` set.
    static func accept(from listener: Int32) -> Int32? {
        let descriptor = systemAccept(listener)
        guard descriptor >= 0 else { return nil }
        // A test may spawn curl, which must not inherit the socket.
        closeOnExec(descriptor)
        #if canImport(Darwin)
            // On Darwin, accepted sockets inherit the listener's O_NONBLOCK.
            setBlocking(descriptor, true)
            setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        return descriptor
    }

    /// Calls `send` once, without raising SIGPIPE.
    static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        systemSend(descriptor, bytes.baseAddress, bytes.count, sendFlags)
    }

    /// Shuts down both directions, which wakes a thread blocked on the socket.
    static func shutDown(_ descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Shuts down the sending direction with a FIN.
    static func shutDownSending(_ descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes the next `close` send an RST instead of a FIN.
    static func resetOnClose(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// The number of sent bytes that the client's system has not acknowledged, or 0 if the system cannot tell.
    static func unacknowledgedByteCount(_ descriptor: Int32) -> Int {
        var count: Int32 = 0
        #if canImport(Glibc)
            // SIOCOUTQ, which <linux/sockios.h> defines as TIOCOUTQ.
            return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
        #else
            var length = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &length) == 0 ? Int(count) : 0
        #endif
    }

    /// Prevents child processes from inheriting the descriptor.
    static func closeOnExec(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Sets or clears `O_NONBLOCK`.
    static func setBlocking(_ descriptor: Int32, _ isBlocking: Bool) {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, isBlocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK)
    }

    private static func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

// The C functions that the enum's methods of the same name hide.
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(descriptor, bytes, count, flags)
}

private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }
