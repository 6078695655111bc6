import Foundation
import NetworkQueueKit

/// A small scriptable HTTP/1.1 server on 127.0.0.1, with faults on demand.
///
///     let server = try LoopbackServer()
///     server.serve("/hello", .text("Hello"))
///     server.serve("/flaky", sequence: [.status(503), .text("at last")])
///     server.serve("/truncated", .generated(size: 1_000_000, seed: 7).dropping(after: 5_000))
///     // … requests to server.url("/hello") …
///     server.requests.map(\.target)
///
/// It answers from the moment it exists until ``stop()``, which deinitialization calls. Every connection has a thread.
/// All members may be used from any thread, also from a handler.
public final class LoopbackServer: Sendable {
    /// Computes the response to a request, on the connection's thread; it may block, but then `stop()` waits for it.
    public typealias Handler = @Sendable (ReceivedRequest) -> ScriptedResponse

    let core: ServerCore

    /// Binds a free port of 127.0.0.1 and starts to serve.
    ///
    /// - Parameters:
    ///   - fallback: What paths get that are not scripted; 404 by default.
    ///   - recordsRequests: Whether ``requests`` keeps what arrives (default). Counts are kept in any case.
    /// - Throws: `POSIXError` if the system has no socket or thread to give.
    public init(fallback: ScriptedResponse = .status(404), recordsRequests: Bool = true) throws {
        core = try ServerCore(fallback: .responses([fallback], next: 0), keepsRequests: recordsRequests)
        try core.start()
    }

    deinit {
        core.stop()
    }

    /// The port on 127.0.0.1.
    public var port: UInt16 { core.port }

    /// `http://127.0.0.1:PORT/`.
    public var url: URL { url("/") }

    /// The URL of a path, with or without a slash at its beginning; it may have a query. See `URL.init(webAddress:)`.
    ///
    /// - Precondition: It makes a valid URL with the server's address before it.
    public func url(_ path: String) -> URL {
        guard let url = URL(webAddress: "http://127.0.0.1:\(port)" + (path.hasPrefix("/") ? path : "/" + path)) else {
            // A programmer's error: scripts and tests write their paths as literals. Not `preconditionFailure`, which
            // says nothing in release builds.
            fatalError("not a URL path: \(path)")
        }
        return url
    }

    /// Hangs up on connections that wait for their next request, which is what servers do to keep-alive connections
    /// after a while. One that is being answered is left alone. A request that comes in the same moment gets no answer.
    public func closeIdleConnections() {
        core.update { state in
            for descriptor in state.connections.closeIdle() { Sockets.shutDown(descriptor) }
        }
    }

    /// Closes the next connections as soon as they are accepted, without reading or sending a byte.
    public func hangUpOnNextConnections(_ count: Int) {
        core.update { $0.dueHangUps = max(0, count) }
    }

    /// Closes the listening socket and all connections, and waits for their threads.
    ///
    /// Stalls, gates, delays and paced bodies end at once. Only a handler that blocks can hold this up, for 10 s at
    /// most. Called from a handler, it does not wait. What was recorded can still be read. A second call does nothing.
    public func stop() {
        core.stop()
    }
}
