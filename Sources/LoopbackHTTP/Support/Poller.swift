import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `poll` with a deadline, and detection of clients that hung up.
enum Poller {
    #if canImport(Glibc)
        /// The event that reports a hang-up, even behind unread bytes: POLLRDHUP, which <poll.h> declares only with
        /// `_GNU_SOURCE`.
        static let hangUpEvents: Int16 = 0x2000
    #else
        /// The event that reports a hang-up. Darwin has no POLLRDHUP, so ``isHungUp(_:)`` peeks at the input.
        static let hangUpEvents = Int16(POLLIN)
    #endif

    /// Waits until a descriptor is ready, the deadline (`nil`: none) has passed or a signal arrives.
    static func wait(_ descriptors: inout [pollfd], until deadline: ContinuousClock.Instant?) {
        var milliseconds: Int32 = -1
        if let deadline {
            let remaining = ContinuousClock.now.duration(to: deadline)
            // Round up: waking slightly early would make the caller's loop spin.
            milliseconds = Int32(max(0, min((remaining / .milliseconds(1)).rounded(.up), Double(Int32.max))))
        }
        if poll(&descriptors, nfds_t(descriptors.count), milliseconds) <= 0 {
            for index in descriptors.indices { descriptors[index].revents = 0 }
        }
    }

    /// Whether the client of a polled descriptor has hung up.
    static func isHungUp(_ answer: pollfd) -> Bool {
        #if canImport(Glibc)
            return answer.revents & (hangUpEvents | Int16(POLLHUP | POLLERR | POLLNVAL)) != 0
        #else
            if answer.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { return true }
            guard answer.revents & Int16(POLLIN) != 0 else { return false }
            var byte: UInt8 = 0
            return recv(answer.fd, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
        #endif
    }

    /// The number of descriptors whose client has hung up.
    static func hungUpCount(_ descriptors: some Sequence<Int32>) -> Int {
        var set = descriptors.map { pollfd(fd: $0, events: hangUpEvents, revents: 0) }
        wait(&set, until: .now)
        return set.count(where: isHungUp)
    }
}
