import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The server's side of TLS on one connection. Used by the connection's thread alone.
final class TLSSession {
    private let context: TLSContext
    private let session: OpenSSL.Object

    /// Fails if there is no memory. Must be called on the connection's thread.
    init?(_ context: TLSContext, descriptor: Int32) {
        guard let session = context.makeSession() else { return nil }
        self.context = context
        self.session = session
        _ = context.library.setDescriptor(session, descriptor)
        // OpenSSL writes without MSG_NOSIGNAL. A signal for a write belongs to the thread that writes.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    deinit { context.library.freeSession(session) }

    /// Waits for the handshake; returns false if it failed. The client has then been told why.
    func accept() -> Bool { context.library.accept(session) == 1 }

    /// Receives at least one byte; returns 0 or less at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        Int(context.library.read(session, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    /// Sends some bytes and returns their number; 0 or less if the client has hung up.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        Int(context.library.write(session, bytes.baseAddress, Int32(clamping: bytes.count)))
    }

    /// Tells the client that no more follows.
    func end() { _ = context.library.shutDown(session) }
}
