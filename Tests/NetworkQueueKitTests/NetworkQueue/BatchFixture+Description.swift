@testable import NetworkQueueKit

/// The words of the table.
extension BatchFixture {
    /// The phase, and how many things keep the batch from draining.
    var stateText: String {
        let phase =
            switch batch.phase {
            case .idle: "idle"
            case .sizing: "sizing"
            case .transferring(let plan): plan == nil ? "transferring" : "transferring, late sizes"
            case .drained: "drained"
            }
        return "\(phase) \(batch.outstandingCount)"
    }

    /// The latest effects; equal ones that follow each other are counted.
    var effectsText: String {
        var texts: [(text: String, count: Int)] = []
        for text in effects.map(Self.text(of:)) {
            if texts.last?.text == text { texts[texts.count - 1].count += 1 } else { texts.append((text, 1)) }
        }
        return texts.map { $0.count > 1 ? "\($0.count) × \($0.text)" : $0.text }.joined(separator: ", ")
    }

    private static func text(of effect: Batch.Effect) -> String {
        switch effect {
        case .start(let operation): operation.request.isSizeProbe ? "start probe" : "start"
        case .cancel(let operation): operation.request.isSizeProbe ? "cancel probe" : "cancel"
        case .followPause: "follow pause"
        case .compare: "compare"
        case .settle(let end, let isReported):
            (end.operation.request.isSizeProbe ? "settle probe" : "settle") + (isReported ? ", told" : "")
        case .setAlarm(let purpose, let deadline): "\(purpose) alarm \(deadline == nil ? "off" : "on")"
        case .release: "release"
        case .own(let effect): text(of: effect)
        }
    }

    private static func text(of effect: Batch.Own) -> String {
        switch effect {
        case .call(.event, _): "call event"
        case .call(.end, _): "call end"
        case .call(.redirect, _), .call(.challenge, _), .call(.handlerProgress, _): "call of an operation"
        case .call(.update, _): "call update"
        case .call(.drain, _): "call drain"
        case .discardCallbacks: "discardCallbacks"
        case .askForSizes: "askForSizes"
        case .noteLoss: "noteLoss"
        case .refuseHeads(let urls): "refuse \(urls.count)"
        case .finish(let streams): "finish \(streams.count)"
        case .resume(let waiters, _): "resume \(waiters.count)"
        }
    }
}
