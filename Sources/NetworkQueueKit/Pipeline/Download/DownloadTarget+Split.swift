import Foundation

/// A download that several exchanges fetch.
extension DownloadTarget {
    /// What an exchange of a helper is for.
    struct Help: Sendable {
        let split: SplitDownload
        let share: SplitDownload.Share
    }

    /// Whether a response may be followed by others that fill what is missing.
    var mayFollow: Bool { help == nil && (rule != nil || point?.end != nil) }

    /// Whether the content is a share, whose sink counts it.
    var isShared: Bool { split != nil || help != nil }

    /// Whether the response under way brings another share of what an earlier one has begun.
    var isFollowing: Bool { isContinuing && split != nil }

    /// A sink that others may help to fill; `nil` where the file is not to be split, and nothing in it is.
    mutating func openSplit(
        _ plan: FilePlan, for head: ResponseHead, expecting length: Int64?
    ) throws(NetworkError) -> OpenedSink? {
        guard let owner, let length else { return nil }
        let mayShare = maySplit(head, rest: length)
        let opened: SplitDownload
        var plan = plan
        if isContinuing, let point {
            guard mayShare || point.end != nil else { return nil }
            try FileMove.check(plan.names.destination, onConflict: plan.policy, mayBeTwin: plan.keepsTwin)
            guard let split = try point.openSplit(rule: rule, delegate: owner) else { return nil }
            plan.modified = plan.modified ?? point.sidecar.validators.modified
            opened = split
        } else {
            guard mayShare, let sidecar = plan.sidecar else { return nil }
            try FileMove.check(plan.names.destination, onConflict: plan.policy, mayBeTwin: plan.keepsTwin)
            let part = if let part = point?.part { part } else { try PartFile.make(plan.names) }
            guard part.claim == .lock, try part.restart(as: sidecar) else {
                return OpenedSink(sink: try FileSink(startingOver: part, plan))
            }
            opened = SplitDownload(
                part, of: PartOwner(url: sidecar.url), sidecar, total: length, rule: rule, owner: owner)
        }
        let present = opened.presentCount
        guard case .fetch(let share) = opened.next() else { return nil }
        let sink = SplitSink(opened, share, plan)
        split = opened
        splitSink = sink
        return OpenedSink(
            sink: sink, offset: present, part: opened.part, rest: opened.total - present, isSplit: true)
    }

    /// Whether helpers would be of use to a response and could trust the server.
    private func maySplit(_ head: ResponseHead, rest: Int64) -> Bool {
        guard let rule, rule.maxParts > 1, rest / 2 >= rule.minPartSize,
            // Over one connection that all exchanges share they would gain nothing.
            head.httpVersion.hasPrefix("HTTP/1"), ContentCoding.name(in: head.headers) == nil
        else { return false }
        return head.statusCode == 206 || head.headers["Accept-Ranges"].map { $0.lowercased() == "bytes" } == true
    }

    /// The share of the exchange that is over; `nil` where none was under way.
    mutating func takeShare() -> SplitDownload.Share? {
        defer { isContinuing = false }
        return splitSink?.takeShare()
    }

    /// Whether a response to the download's own exchange for another share is of no use, and what is there is still right:
    /// the server has given parts before, and does so to the helpers.
    func isRefusal(_ head: ResponseHead) -> Bool {
        guard let split, let point, split.isShared, (200..<300).contains(head.statusCode) else { return false }
        return !point.isContinued(by: head) && point.sidecar.validators.match(head.headers)
    }

    /// The download's own exchange for another share.
    ///
    /// - Parameter exchange: the first one of the attempt, so that redirects are followed anew.
    mutating func follow(_ share: SplitDownload.Share, after exchange: HTTPExchange) -> HTTPExchange {
        guard let split else { return exchange }
        splitSink?.share = share
        var next = exchange
        point = ResumePoint(share, of: split)
        point?.addRangeFields(to: &next)
        return next
    }

    /// Has the exchange of a helper ask for its share.
    mutating func prepare(_ help: Help, _ exchange: inout HTTPExchange) {
        point = ResumePoint(help.share, of: help.split)
        point?.addRangeFields(to: &exchange)
    }

    /// Looks at the response to a helper: either it is the share that was asked for, or it is of no use.
    mutating func judgeShare(_ head: ResponseHead) -> HeadMeaning {
        guard point?.isContinued(by: head) == true else {
            return .refuse(.badResponse("It is not the part of the content that was asked for."))
        }
        isContinuing = true
        return .take
    }

    /// Leaves what is there to a later attempt.
    mutating func endSplit() {
        guard let split else { return }
        split.abandon()
        // Its part is closed.
        point = nil
        self.split = nil
        splitSink = nil
    }
}

extension ResumePoint {
    /// A download that goes on behind what is there, and with what is missing between; `nil` where the part cannot say
    /// so.
    func openSplit(
        rule: NetworkRequest.Splitting?, delegate: any RequestRunDelegate
    ) throws(NetworkError) -> SplitDownload? {
        guard let total = sidecar.total, part.claim == .lock else { return nil }
        var sidecar = sidecar
        // From here on it is this run of the system that is told about.
        sidecar.boot = Sidecar.currentBoot
        sidecar.url = self.owner.name
        if end == nil {
            try part.truncate(to: offset)
            sidecar.ranges = nil
        }
        guard sidecar == self.sidecar || part.describe(sidecar) else { return nil }
        return SplitDownload(part, of: owner, sidecar, total: total, rule: rule, owner: delegate)
    }
}
