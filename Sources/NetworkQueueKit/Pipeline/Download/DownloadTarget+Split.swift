import Foundation

/// Splits a download among several exchanges.
extension DownloadTarget {
    /// The share that a helper's exchange fetches.
    struct Help: Sendable {
        let split: SplitDownload
        let share: SplitDownload.Share
    }

    /// Whether more exchanges may follow a response to fetch what is missing.
    var mayFollow: Bool { help == nil && (rule != nil || point != nil) }

    /// Whether the content is a share of a split download, whose sink counts the bytes.
    var isShared: Bool { split != nil || help != nil }

    /// Whether the current response is a further share that the download's own exchange fetches.
    var isFollowing: Bool { isContinuing && split != nil }

    /// Opens a sink that helpers can help to fill. Returns `nil` if the download is not split and resumes no split
    /// part.
    ///
    /// - Parameter isReadInOrder: whether the content is read from its beginning while it arrives.
    func openSplit(
        _ plan: FilePlan, for head: ResponseHead, expecting length: Int64?, isReadInOrder: Bool
    ) throws(NetworkError) -> OpenedSink? {
        guard let owner, let length else { return nil }
        let mayShare = maySplit(head, rest: length)
        let opened: SplitDownload
        var plan = plan
        if isContinuing, let point {
            guard mayShare || point.end != nil || point.extent != .asAsked else { return nil }
            try FileMove.check(
                plan.names.destination, onConflict: plan.policy, beside: stored, mayBeTwin: plan.keepsTwin)
            let rule = scope == .rest ? rule : nil
            guard let split = try point.openSplit(rule: rule, delegate: owner, timekeeper: timekeeper) else {
                return nil
            }
            plan.modified = plan.modified ?? point.sidecar.validators.modified
            opened = split
        } else {
            guard mayShare, let sidecar = plan.sidecar else { return nil }
            try FileMove.check(
                plan.names.destination, onConflict: plan.policy, beside: stored, mayBeTwin: plan.keepsTwin)
            let part = if let part = point?.part { part } else { try PartFile.make(plan.names) }
            guard part.claim == .lock, try part.restart(as: sidecar) else {
                return OpenedSink(sink: try FileSink(startingOver: part, plan))
            }
            opened = SplitDownload(
                part, of: PartOwner(url: sidecar.url), sidecar, total: length, rule: rule, owner: owner,
                timekeeper: timekeeper)
        }
        let present = opened.presentCount
        opened.rangeYield = rangeYield
        let readsAll = isContinuing && point?.extent == .all
        // An exchange that reads all of the content stores what is missing in order anyway.
        if isReadInOrder, !readsAll { opened.fillInOrder() }
        guard case .fetch(let share) = opened.next() else { return nil }
        if let point { point.shorten(share, of: opened) }
        let sink = SplitSink(opened, share, plan, readsAll: readsAll)
        split = opened
        splitSink = sink
        return OpenedSink(
            sink: sink, offset: present, part: opened.part, rest: opened.total - present, isSplit: true)
    }

    /// Whether helpers could speed up a response, and the server is known to support byte ranges.
    private func maySplit(_ head: ResponseHead, rest: Int64) -> Bool {
        guard scope == .rest, let rule, rule.maxParts > 1, rest / 2 >= rule.minPartSize,
            // If all exchanges share one connection, splitting gains nothing.
            head.httpVersion.hasPrefix("HTTP/1"), ContentCoding.name(in: head.headers) == nil
        else { return false }
        return head.statusCode == 206 || head.headers["Accept-Ranges"].map { $0.lowercased() == "bytes" } == true
    }

    /// Takes the share of the exchange that has ended; `nil` if it had none.
    func takeShare() -> SplitDownload.Share? {
        defer { isContinuing = false }
        return splitSink?.takeShare()
    }

    /// Whether the download's own exchange asked for another share and got a useless response although the stored bytes
    /// are still valid. The server has served ranges before and still serves them to the helpers.
    func isRefusal(_ head: ResponseHead) -> Bool {
        guard let split, let point, split.isShared, (200..<300).contains(head.statusCode) else { return false }
        return !point.isContinued(by: head) && point.sidecar.validators.match(head.headers)
    }

    /// Returns the exchange with which the download itself fetches another share.
    ///
    /// - Parameter exchange: the first one of the attempt, so that redirects are followed again.
    func follow(_ share: SplitDownload.Share, after exchange: HTTPExchange) -> HTTPExchange {
        guard let split else { return exchange }
        splitSink?.share = share
        var next = exchange
        point = ResumePoint(share, of: split)
        point?.addRangeFields(to: &next)
        return next
    }

    /// Makes a helper's exchange ask for its share.
    func prepare(_ help: Help, _ exchange: inout HTTPExchange) {
        point = ResumePoint(help.share, of: help.split)
        point?.addRangeFields(to: &exchange)
    }

    /// Judges the response to a helper: it must be the requested share, or the beginning of it.
    func judgeShare(_ head: ResponseHead) -> HeadMeaning {
        if head.statusCode >= 400 { return .refuse(NetworkError(.httpStatus(head.statusCode))) }
        guard point?.isContinued(by: head) == true else {
            return .refuse(.badResponse("The server sent another part of the content than the requested one."))
        }
        isContinuing = true
        point?.noteExtent(of: head)
        if let help { point?.shorten(help.share, of: help.split) }
        return .take
    }

    /// Ends splitting and leaves the stored bytes to a later attempt.
    func endSplit() {
        guard let split else { return }
        split.abandon()
        // Abandoning the split has closed the part.
        point = nil
        self.split = nil
        splitSink = nil
    }
}

extension ResumePoint {
    /// Opens the part as a split download that fetches the gaps and the rest. Returns `nil` if the total size is
    /// unknown, or if the part cannot record ranges.
    func openSplit(
        rule: NetworkRequest.Splitting?, delegate: any RequestRunDelegate, timekeeper: any Timekeeper
    ) throws(NetworkError) -> SplitDownload? {
        guard let total = sidecar.total, part.claim == .lock else { return nil }
        var sidecar = sidecar
        // From now on the sidecar describes bytes written since the current boot.
        sidecar.boot = Sidecar.currentBoot
        sidecar.url = self.owner.name
        if end == nil {
            try part.truncate(to: offset)
            sidecar.ranges = nil
        }
        guard sidecar == self.sidecar || part.describe(sidecar) else { return nil }
        return SplitDownload(
            part, of: owner, sidecar, total: total, rule: rule, owner: delegate,
            timekeeper: timekeeper)
    }
}
