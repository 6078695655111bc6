import Testing

@testable import NetworkQueueKit

struct LinkedSlotsTests {
    var slots = LinkedSlots<String>()
    var lane = Lane()

    private func values() -> [String] {
        var result: [String] = []
        slots.forEach(in: lane) { result.append(slots[$0]) }
        return result
    }

    private mutating func fill(_ values: [String]) -> [UInt32] {
        values.map { value in
            let index = slots.insert(value).index
            slots.append(index, to: &lane)
            return index
        }
    }

    @Test
    mutating func `Values stand in the order in which they were appended`() {
        _ = fill(["a", "b", "c"])
        #expect(values() == ["a", "b", "c"])
        #expect(!lane.isEmpty)
    }

    @Test
    mutating func `A value can leave from the front, the middle and the end`() {
        let indices = fill(["a", "b", "c", "d"])
        slots.unlink(indices[1], from: &lane)
        #expect(values() == ["a", "c", "d"])
        slots.unlink(indices[0], from: &lane)
        #expect(values() == ["c", "d"])
        slots.unlink(indices[3], from: &lane)
        #expect(values() == ["c"])
        #expect(lane.first.index == indices[2])
        #expect(lane.last.index == indices[2])
        slots.unlink(indices[2], from: &lane)
        #expect(lane.isEmpty)
        #expect(lane.last.index == nil)
    }

    @Test
    mutating func `A value can move from lane to lane`() {
        let indices = fill(["a", "b"])
        var other = Lane()
        slots.unlink(indices[0], from: &lane)
        slots.append(indices[0], to: &other)
        slots.unlink(indices[1], from: &lane)
        slots.append(indices[1], to: &other)
        #expect(lane.isEmpty)
        lane = other
        #expect(values() == ["a", "b"])
        #expect(slots.index(before: indices[1]) == indices[0])
        #expect(slots.index(after: indices[1]) == nil)
    }
}
