import Foundation
import NetworkQueueKit

/// Sends responses as planned. Bytes are buffered, so a head and a small body leave in a single write.
struct OutputBuffer: ~Copyable {
    /// A write of this size amortizes the system call and still fits into the second-level cache.
    private static let sliceSize: Int64 = 128 << 10

    private var bytes: [UInt8] = []

    /// Sends text immediately.
    mutating func sendNow(_ text: String, over channel: Channel) throws {
        bytes.append(contentsOf: text.utf8)
        try flush(over: channel)
    }

    /// Sends a response.
    ///
    /// - Parameter complete: Called at least once, first when the client has received everything that it waits for
    ///   except the bytes about to be sent. Not called if this function throws ``Disconnection/gone``.
    mutating func send(_ plan: ResponsePlan, over channel: Channel, complete: () -> Void) throws {
        if !plan.interim.isEmpty { try sendNow(plan.interim, over: channel) }
        if plan.delayBeforeHead > .zero { try channel.pause(until: .now + plan.delayBeforeHead.bounded) }
        for gate in plan.gatesBeforeHead { try channel.pass(gate) }
        bytes.append(contentsOf: plan.head)
        if plan.delayBeforeBody > .zero {
            try flush(plan, 0, over: channel, complete)
            try channel.pause(until: .now + plan.delayBeforeBody.bounded)
        }
        try sendBody(plan, over: channel, complete)
        bytes.append(contentsOf: plan.terminator.utf8)
        // With a terminator, the client waits for this write. Without one, it waits for the connection to close, which
        // happens later.
        complete()
        try flush(over: channel)
    }

    private mutating func sendBody(_ plan: ResponsePlan, over channel: Channel, _ complete: () -> Void) throws {
        let size = plan.range.upperBound - plan.range.lowerBound
        var offset: Int64 = 0
        var stops = plan.stops[...]
        var pacer = plan.bytesPerSecond.map { Pacer(bytesPerSecond: $0) }
        while true {
            while let stop = stops.first, stop.offset <= offset {
                stops.removeFirst()
                try flush(plan, offset, over: channel, complete)
                try perform(stop.action, over: channel, complete)
                pacer?.restart(at: offset)
            }
            guard offset < size else { return }
            let step = min(plan.chunkSize ?? OutputBuffer.sliceSize, pacer?.sliceSize ?? .max)
            let end = min(offset + min(step, size - offset), stops.first?.offset ?? .max)
            if let pacer {
                try flush(plan, offset, over: channel, complete)
                try channel.pause(until: pacer.deadline(for: end))
            }
            append(plan, offset..<end)
            offset = end
            // Keep the last slice in the buffer, so that a terminator can be sent with it.
            if offset < size, bytes.count >= OutputBuffer.sliceSize {
                try flush(plan, offset, over: channel, complete)
            }
            pacer?.forgiveDelay(at: offset)
        }
    }

    private mutating func append(_ plan: ResponsePlan, _ range: Range<Int64>) {
        if plan.chunkSize != nil {
            bytes.append(contentsOf: String(range.upperBound - range.lowerBound, radix: 16).utf8)
            bytes.append(contentsOf: [0x0D, 0x0A])
        }
        let first = plan.range.lowerBound
        plan.source.append(first + range.lowerBound..<first + range.upperBound, to: &bytes)
        if plan.chunkSize != nil { bytes.append(contentsOf: [0x0D, 0x0A]) }
    }

    private func perform(_ action: ResponsePlan.Action, over channel: Channel, _ complete: () -> Void) throws {
        switch action {
        case .pass(let gate): try channel.pass(gate)
        case .stall: try channel.pause(until: nil)
        case .drop(let hangUp):
            if hangUp == .reset { try channel.waitUntilReceived() }
            complete()
            throw Disconnection.dropped(hangUp)
        }
    }

    /// Sends the buffered bytes, which end at `offset` of the body.
    private mutating func flush(
        _ plan: ResponsePlan, _ offset: Int64, over channel: Channel, _ complete: () -> Void
    ) throws {
        if let end = plan.completionOffset, offset >= end { complete() }
        try flush(over: channel)
    }

    private mutating func flush(over channel: Channel) throws {
        guard !bytes.isEmpty else { return }
        defer { bytes.removeAll(keepingCapacity: true) }
        try bytes.withUnsafeBytes { try channel.send($0) }
    }
}
