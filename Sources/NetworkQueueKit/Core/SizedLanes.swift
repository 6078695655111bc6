/// The waiting elements of each lane that is ordered by size, as one heap per lane.
///
/// Used only in the modes that order by size, beside the lanes in order of adding. The heaps share one array of
/// positions, because an element stands in one lane.
struct SizedLanes: Sendable {
    private var heaps: ContiguousArray<IndexedHeap<StartRank>> = []
    private var positions: IndexedHeap<StartRank>.Positions = []

    /// The element of a lane with the smallest rank. O(1)
    func first(_ shelf: ShelfTable.ID, _ band: Band) -> UInt32? {
        let lane = lane(shelf, band)
        return lane < heaps.count ? heaps[lane].first : nil
    }

    /// Adds an element to a lane, or changes its rank there. O(log n)
    mutating func set(_ index: UInt32, rank: StartRank, _ shelf: ShelfTable.ID, _ band: Band) {
        let lane = lane(shelf, band)
        while heaps.count <= lane { heaps.append(IndexedHeap<StartRank>()) }
        heaps[lane].set(index, rank: rank, &positions)
    }

    /// Removes an element from its lane. O(log n)
    mutating func remove(_ index: UInt32, _ shelf: ShelfTable.ID, _ band: Band) {
        heaps[lane(shelf, band)].remove(index, &positions)
    }

    private func lane(_ shelf: ShelfTable.ID, _ band: Band) -> Int {
        Int(shelf.rawValue) * Band.count + band.rawValue
    }
}
