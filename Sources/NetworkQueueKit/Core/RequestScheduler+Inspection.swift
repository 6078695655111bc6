extension RequestScheduler {
    /// How many elements there are in all.
    var count: Int { elements.count }

    /// Whether the element is there, in whatever state. O(1)
    func contains(_ ticket: Ticket) -> Bool {
        elements.index(of: ticket) != nil
    }

    /// Whether the element runs. O(1)
    func isRunning(_ ticket: Ticket) -> Bool {
        guard let index = elements.index(of: ticket), case .running = places[Int(index)].state else { return false }
        return true
    }

    /// How many elements run.
    var runningCount: Int { transferringCount + sizingCount }

    /// How many elements could be started by `startNext()`, sooner or later.
    var waitingCount: Int { count - runningCount - parkedCount }

    /// The elements that run, in the order in which they were started. O(running)
    var runningElements: [Element] {
        indices(in: running).map { elements[$0] }
    }

    /// Those running in the order in which they were started, those waiting in the order in which they would start if
    /// nothing but their order kept them from it, and those parked in the order in which they were parked.
    /// O(n log hosts)
    var elementsInOrder: [Element] {
        (indices(in: running) + waitingIndices + parkedIndices).map { elements[$0] }
    }

    var waitingIndices: [UInt32] {
        var result: [UInt32] = []
        result.reserveCapacity(waitingCount)
        for band in Band.all { appendIndices(of: band, to: &result) }
        return result
    }

    var parkedIndices: [UInt32] {
        indices(in: parked)
    }

    private func indices(in lane: Lane) -> [UInt32] {
        var result: [UInt32] = []
        elements.forEach(in: lane) { result.append($0) }
        return result
    }

    /// Merges the lanes of a band.
    private func appendIndices(of band: Band, to result: inout [UInt32]) {
        var fronts: [UInt32?] = []
        var heap = IndexedHeap()
        for host in waiting.hosts {
            let front = front(of: waiting[host, band], band)
            fronts.append(front)
            if let front { heap.set(host.rawValue, rank: rank(of: front, band)) }
        }
        while let host = heap.first, let index = fronts[Int(host)] {
            result.append(index)
            let next = isNewestFirst(band) ? elements.index(before: index) : elements.index(after: index)
            fronts[Int(host)] = next
            if let next { heap.set(host, rank: rank(of: next, band)) } else { heap.remove(host) }
        }
    }
}
