import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `poll` with deadlines, and what its answers say about a client that hung up.
enum Poller {
    #if canImport(Glibc)
        /// POLLRDHUP, which <poll.h> shows to GNU sources only. Unread bytes of the client do not hide it.
        static let hangUpEvents: Int16 = 0x2000
    #else
        /// The events that tell of a hang-up. Darwin has no POLLRDHUP: input is watched, and peeked at.
        static let hangUpEvents = Int16(POLLIN)
    #endif

    /// Waits until a descriptor is ready, the deadline has passed (`nil`: never) or a signal came in.
    static func wait(_ descriptors: inout [pollfd], until deadline: ContinuousClock.Instant?) {
        var milliseconds: Int32 = -1
        if let deadline {
            let remaining = ContinuousClock.now.duration(to: deadline)
            // Rounded up: waking a moment early would turn the caller's loop into a busy one.
            milliseconds = Int32(clamping: max(0, Int64((remaining / .milliseconds(1)).rounded(.up))))
        }
        if poll(&descriptors, nfds_t(descriptors.count), milliseconds) <= 0 {
            for index in descriptors.indices { descriptors[index].revents = 0 }
        }
    }

    /// Whether the client behind an answered `pollfd` has gone.
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

    /// How many of the descriptors' clients have gone at this moment.
    static func hungUpCount(_ descriptors: some Sequence<Int32>) -> Int {
        var set = descriptors.map { pollfd(fd: $0, events: hangUpEvents, revents: 0) }
        wait(&set, until: .now)
        return set.count(where: isHungUp)
    }
}
