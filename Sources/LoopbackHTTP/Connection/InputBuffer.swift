/// A buffer of received bytes that have not been consumed yet.
struct InputBuffer: ~Copyable {
    private var storage: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0

    init(capacity: Int) {
        storage = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        storage.deallocate()
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[start..<end]) }

    var count: Int { end - start }

    /// Removes bytes from the beginning.
    mutating func consume(_ count: Int) {
        start += count
        if start == end { (start, end) = (0, 0) }
    }

    /// Returns free space for at least `count` bytes at the end. Call ``didAppend(_:)`` after filling it.
    mutating func room(atLeast count: Int) -> UnsafeMutableRawBufferPointer {
        if storage.count - end < count {
            let needed = self.count + count
            if needed > storage.count {
                let larger = UnsafeMutableRawBufferPointer.allocate(
                    byteCount: max(needed, storage.count * 2), alignment: 16)
                larger.copyMemory(from: bytes)
                storage.deallocate()
                storage = larger
            } else if let target = storage.baseAddress {
                // The ranges may overlap; `copyMemory` allows that, like memmove.
                target.copyMemory(from: target + start, byteCount: self.count)
            }
            (start, end) = (0, end - start)
        }
        return UnsafeMutableRawBufferPointer(rebasing: storage[end...])
    }

    mutating func didAppend(_ count: Int) {
        end += count
    }
}
