import Foundation
import NetworkQueueKit

/// A small scriptable HTTP/1.1 server on 127.0.0.1, with faults on demand.
///
/// ```swift
/// let server = try LoopbackServer()
/// server.serve("/hello", .text("Hello"))
/// server.serve("/flaky", sequence: [.status(503), .text("at last")])
/// server.serve("/truncated", .generated(size: 1_000_000, seed: 7).dropping(after: 5_000))
/// let text = try await queue.data(for: server.url("/hello"))
/// let targets = server.requests.map(\.target)
/// ```
///
/// The server serves from its creation until ``stop()``, which deinitialization calls. Each connection has its own
/// thread. All members may be used from any thread, including from a handler.
public final class LoopbackServer: Sendable {
    /// A closure that computes the response to a request, on the connection's thread. It may block, but ``stop()``
    /// waits for it.
    ///
    /// The server keeps its handlers until it is deallocated. A handler that uses the server, for example for its URLs,
    /// must capture it weakly (`[weak server]`): otherwise the server stays alive and goes on serving.
    public typealias Handler = @Sendable (ReceivedRequest) -> ScriptedResponse

    let core: ServerCore

    /// Binds a free port of 127.0.0.1 and starts serving.
    ///
    /// - Parameters:
    ///   - fallback: The response for unscripted paths; 404 by default.
    ///   - recordsRequests: Whether ``requests`` keeps the received requests; true by default. Counts are always kept.
    /// - Throws: `POSIXError` if the system has no socket or thread available.
    public init(fallback: ScriptedResponse = .status(404), recordsRequests: Bool = true) throws {
        core = try ServerCore(fallback: .responses([fallback], next: 0), keepsRequests: recordsRequests)
        try core.start()
    }

    /// Binds a free port of 127.0.0.1 and starts serving over TLS.
    ///
    /// Every feature works as without TLS, but faults are those of HTTP: a response that is cut off ends without the
    /// message that ends a TLS connection.
    ///
    /// - Parameters:
    ///   - identity: The key and the certificate. Several servers may share it.
    ///   - fallback: The response for unscripted paths; 404 by default.
    ///   - recordsRequests: Whether ``requests`` keeps the received requests; true by default. Counts are always kept.
    /// - Throws: `POSIXError` if the system has no socket or thread available.
    public init(
        tls identity: TLSIdentity, fallback: ScriptedResponse = .status(404), recordsRequests: Bool = true
    ) throws {
        core = try ServerCore(
            fallback: .responses([fallback], next: 0), keepsRequests: recordsRequests, tls: identity.context)
        try core.start()
    }

    deinit {
        core.stop()
    }

    /// The port on 127.0.0.1.
    public var port: UInt16 { core.port }

    /// The server's root URL, `http://127.0.0.1:PORT/`, or `https://127.0.0.1:PORT/` with TLS.
    public var url: URL { url("/") }

    /// The URL of a path, which may omit the leading slash and may have a query. See `URL.init(webAddress:)`.
    ///
    /// - Precondition: The server's address followed by `path` is a valid URL.
    public func url(_ path: String) -> URL {
        let origin = "\(core.tls == nil ? "http" : "https")://127.0.0.1:\(port)"
        guard let url = URL(webAddress: origin + (path.starts(withBytesOf: "/") ? path : "/" + path)) else {
            // Programmer error: scripts and tests write paths as literals. Not `preconditionFailure`, which prints no
            // message in release builds.
            fatalError("not a URL path: \(path)")
        }
        return url
    }

    /// Closes connections that wait for their next request, as servers do with keep-alive connections after a while.
    /// Connections whose request is being answered stay open. A request that arrives at the same moment gets no answer.
    public func closeIdleConnections() {
        core.update { state in
            for descriptor in state.connections.closeIdle() { Sockets.shutDown(descriptor) }
        }
    }

    /// Closes the next `count` connections as soon as they are accepted, without reading or sending a byte.
    public func hangUpOnNextConnections(_ count: Int) {
        core.update { $0.dueHangUps = max(0, count) }
    }

    /// Closes the listening socket and all connections, and waits for their threads.
    ///
    /// Stalls, gates, delays and paced bodies end at once. Only a blocking handler can delay the return, for at most
    /// 10 s. Called from a handler, `stop()` does not wait. Recorded requests remain readable. A second call has no
    /// effect.
    public func stop() {
        core.stop()
    }
}
