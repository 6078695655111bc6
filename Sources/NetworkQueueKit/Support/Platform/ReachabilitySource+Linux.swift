#if os(Linux)
    import Dispatch
    import Foundation

    /// Calls back each time that rtnetlink reports a network that has come back, until it is canceled.
    final class ReachabilitySource: Sendable {
        private static let queue = DispatchQueue(label: "NetworkQueueKit.reachability")
        /// May be canceled from any thread, though Dispatch does not declare it `Sendable`.
        private nonisolated(unsafe) let source: any DispatchSourceRead

        /// Fails if the system does not allow it, as in some sandboxes: then waits end when their time is over.
        init?(onRecovery: @escaping @Sendable () -> Void) {
            guard let descriptor = Self.openSocket() else { return nil }
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
            source.setEventHandler { if Self.readsRecovery(from: descriptor) { onRecovery() } }
            source.setCancelHandler { close(descriptor) }
            source.activate()
        }

        deinit { source.cancel() }

        func cancel() { source.cancel() }

        private static func openSocket() -> Int32? {
            let descriptor = socket(
                RouteMessages.addressFamily,
                Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
                    | Int32(SOCK_NONBLOCK.rawValue), 0)
            guard descriptor >= 0 else { return nil }
            var address = RouteMessages.Address()
            let isBound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<RouteMessages.Address>.size))
                }
            }
            guard isBound == 0 else {
                close(descriptor)
                return nil
            }
            return descriptor
        }

        /// Reads all messages. If some were lost for lack of buffer space, one of them may have reported a recovery.
        private static func readsRecovery(from descriptor: Int32) -> Bool {
            var isRecovery = false
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == ENOBUFS {
                    isRecovery = true
                    continue
                }
                guard count > 0 else { return isRecovery }
                if RouteMessages.tellOfRecovery(buffer[..<count]) { isRecovery = true }
            }
        }
    }
#endif
