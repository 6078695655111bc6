extension RequestScheduler {
    /// Whether the element is there, in whatever state. O(1)
    func contains(_ ticket: Ticket) -> Bool {
        entries.index(of: ticket) != nil
    }

    /// Removes those waiting and parked elements for which `isIncluded` returns `true`, and returns them in the order of
    /// `elementsInOrder`. O(n log hosts)
    mutating func removeWaiting(where isIncluded: (Element) -> Bool) -> [Element] {
        (waitingIndices + parkedIndices).compactMap { index in
            guard isIncluded(entries[index].element),
                case .removed(let element) = cancel(entries.key(at: index))
            else { return nil }
            return element
        }
    }
}
