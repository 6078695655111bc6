import Dispatch
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The part of a server that its threads retain, so that they do not keep the ``LoopbackServer`` alive.
final class ServerCore: Sendable {
    let port: UInt16
    /// Signaled once, when the server stops. Every wait also polls this pipe.
    let stopSignal: WakePipe
    /// The key and the certificate; `nil` without TLS.
    let tls: TLSContext?
    private let listener: Int32
    private let state: Locked<ServerState>
    private let threads = DispatchGroup()

    init(fallback: Routes.Script, keepsRequests: Bool, tls: TLSContext? = nil) throws {
        self.tls = tls
        stopSignal = try WakePipe()
        (listener, port) = try Sockets.listen(backlog: 1024)
        state = Locked(
            ServerState(
                routes: Routes(fallback: fallback),
                log: RequestLog(keepsRequests: keepsRequests),
                connections: ConnectionTable(hungUpCount: { Poller.hungUpCount($0) })))
    }

    /// Changes the state, then resumes the observers whose condition now holds.
    func update<Result: Sendable>(_ change: (inout ServerState) -> Result) -> Result {
        let (result, resumes) = state.withLock { state in
            let result = change(&state)
            return (result, state.observers.take(satisfiedBy: state.counters))
        }
        for resume in resumes { resume(true) }
        return result
    }

    /// Starts the accept loop. Must be called exactly once.
    func start() throws {
        guard startThread({ $0.acceptConnections() }) else {
            close(listener)
            throw POSIXError(.EAGAIN)
        }
    }

    /// Closes everything and waits for the threads, unless the caller is one of them.
    func stop() {
        let (isFirst, isOwnThread) = update { state in
            let isFirst = !state.isStopped
            state.isStopped = true
            // Under the lock: a descriptor leaves the table before it is closed, so none of these has been reused by
            // another connection.
            for descriptor in state.connections.descriptors { Sockets.shutDown(descriptor) }
            return (isFirst, state.connections.isServed(by: DetachedThread.current))
        }
        if isFirst { stopSignal.signal() }
        guard !isOwnThread else { return }
        // The signal ends every wait of the threads, except those inside a script's handler.
        _ = threads.wait(timeout: .now() + 10)
    }

    private func startThread(_ body: @escaping @Sendable (ServerCore) -> Void) -> Bool {
        threads.enter()
        let hasStarted = DetachedThread.start { [self] in
            body(self)
            threads.leave()
        }
        if !hasStarted { threads.leave() }
        return hasStarted
    }

    private func acceptConnections() {
        defer { close(listener) }
        while true {
            var descriptors = [
                pollfd(fd: stopSignal.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
            ]
            Poller.wait(&descriptors, until: nil)
            if descriptors[0].revents != 0 { return }
            while let descriptor = Sockets.accept(from: listener) { serve(descriptor) }
            if errno == EMFILE || errno == ENFILE {
                // The listener stays readable; without a pause this loop would spin until a descriptor is free.
                descriptors.removeLast()
                Poller.wait(&descriptors, until: .now + .milliseconds(10))
            }
        }
    }

    private func serve(_ descriptor: Int32) {
        let index: Int? = update { state in
            guard !state.isStopped else { return nil }
            let index = state.connections.add(descriptor)
            guard state.dueHangUps == 0 else {
                state.dueHangUps -= 1
                state.connections.remove(index)
                return nil
            }
            return index
        }
        guard let index else {
            close(descriptor)
            return
        }
        let hasStarted = startThread { core in
            ConnectionWorker(core: core, index: index, descriptor: descriptor)?.run()
            core.update { $0.connections.remove(index) }
            close(descriptor)
        }
        if !hasStarted {
            update { $0.connections.remove(index) }
            close(descriptor)
        }
    }
}
