import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A connection's socket. Every call blocks its thread, and every wait ends when the server stops.
struct Channel {
    let descriptor: Int32
    let stopSignal: WakePipe
    /// `nil` without TLS.
    let tls: TLSSession?

    /// Receives at least one byte into the buffer; returns false when the client has closed its sending side.
    func receive(into buffer: inout InputBuffer, atMost limit: Int) -> Bool {
        while true {
            let room = buffer.room(atLeast: limit)
            let count = tls.map { $0.read(into: room) } ?? recv(descriptor, room.baseAddress, room.count, 0)
            if count > 0 { buffer.didAppend(count) }
            if tls == nil, count < 0, errno == EINTR { continue }
            return count > 0
        }
    }

    /// Sends all bytes.
    func send(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = tls.map { $0.write(rest) } ?? Sockets.send(descriptor, rest)
            if count > 0 {
                rest = rest.slice(from: count)
            } else if tls != nil || errno != EINTR {
                throw Disconnection.gone
            }
        }
    }

    /// Waits until the deadline (`nil`: forever); throws if the client hangs up or the server stops.
    func pause(until deadline: ContinuousClock.Instant?) throws {
        _ = try wait(until: deadline, orFor: nil)
    }

    /// Waits at a gate until it lets the request pass.
    func pass(_ gate: Gate) throws {
        guard let pipe = try? WakePipe() else { throw Disconnection.gone }
        guard gate.arrive(waitingOn: pipe) != nil else { return }
        defer { gate.leave(pipe) }
        _ = try wait(until: nil, orFor: pipe)
    }

    /// Waits until the client's system has acknowledged all sent bytes, for at most 2 s.
    func waitUntilReceived() throws {
        let limit = ContinuousClock.now + .seconds(2)
        while Sockets.unacknowledgedByteCount(descriptor) > 0, .now < limit {
            try pause(until: .now + .milliseconds(1))
        }
    }

    /// Discards what the client sends after the server's FIN, for at most 2 s.
    ///
    /// Closing a socket with unread bytes would send an RST, which can destroy data that the client has not read yet.
    func drain(_ buffer: inout InputBuffer) {
        let limit = ContinuousClock.now + .seconds(2)
        while .now < limit {
            var descriptors = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopSignal.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            Poller.wait(&descriptors, until: limit)
            buffer.consume(buffer.count)
            let room = buffer.room(atLeast: 16 << 10)
            // Not decrypted: nobody reads it.
            guard descriptors[1].revents == 0, descriptors[0].revents != 0,
                recv(descriptor, room.baseAddress, room.count, 0) > 0
            else { return }
        }
    }

    /// Waits for the deadline (returns false) or the pipe (true); throws when the client hangs up or the server stops.
    private func wait(until deadline: ContinuousClock.Instant?, orFor pipe: WakePipe?) throws -> Bool {
        var events = Poller.hangUpEvents
        while true {
            var descriptors = [
                pollfd(fd: descriptor, events: events, revents: 0),
                pollfd(fd: stopSignal.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            if let pipe { descriptors.append(pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)) }
            Poller.wait(&descriptors, until: deadline)
            if descriptors[1].revents != 0 || Poller.isHungUp(descriptors[0]) { throw Disconnection.gone }
            // Darwin only: the client has sent bytes that stay unread. Polling for input any longer would spin.
            if descriptors[0].revents != 0 { events = 0 }
            if pipe != nil, descriptors[2].revents != 0 { return true }
            if let deadline, .now >= deadline { return false }
        }
    }
}

/// The reason why a connection's thread stops serving it.
enum Disconnection: Error {
    /// The client hung up, or the server is stopping; nothing more can be sent.
    case gone
    /// The script asks for the connection to be dropped.
    case dropped(ScriptedResponse.HangUp)
    /// The client sent invalid HTTP; it is answered with this status.
    case malformed(status: Int)
}
