import NetworkQueueKit

/// Finds list entries by a text that each has, such as the name of its file.
///
/// The table does not store texts: each slot has eight bytes, for a part of the text's hash and the entry's number. If
/// hashes match, the owner recreates the entry's text and compares it.
struct LineTable: Sendable {
    /// Slots with the hash and the number + 1 in 32 bits each; 0 marks a free slot. The number of slots is a power of
    /// two.
    private var places: [UInt64] = []
    private var count = 0

    /// The number of the entry with a text; `nil` if there is none.
    ///
    /// - Parameter isSame: Whether an entry, whose text has the same hash, has the same text.
    func number(of text: String, where isSame: (Int) -> Bool) -> Int? {
        guard !places.isEmpty else { return nil }
        let hash = Self.hash(of: text)
        var place = Int(hash) & (places.count - 1)
        while places[place] != 0 {
            let number = Int(places[place] & 0xFFFF_FFFF) - 1
            if places[place] >> 32 == hash, isSame(number) { return number }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// Adds an entry whose text is not in the table.
    mutating func insert(_ number: Int, for text: String) {
        // At most three quarters of the slots are used.
        if count * 4 >= places.count * 3 { grow() }
        count += 1
        put(Self.hash(of: text) << 32 | UInt64(number + 1))
    }

    private static func hash(of text: String) -> UInt64 {
        UInt64(UInt32(truncatingIfNeeded: ByteText(text).hashValue))
    }

    private mutating func grow() {
        let former = places
        places = Array(repeating: 0, count: max(64, former.count * 2))
        for entry in former where entry != 0 { put(entry) }
    }

    private mutating func put(_ entry: UInt64) {
        var place = Int(entry >> 32) & (places.count - 1)
        while places[place] != 0 { place = (place + 1) & (places.count - 1) }
        places[place] = entry
    }
}
