import Testing

@testable import NetworkQueueKit

struct SlotMapTests {
    @Test
    func `A value is found by its key until it is removed`() {
        var map = SlotMap<String>()
        let one = map.insert("one")
        let two = map.insert("two")
        #expect(map.count == 2)
        #expect(map[one] == "one")
        #expect(map.contains(two))
        #expect(map.remove(one) == "one")
        #expect(map[one] == nil)
        #expect(!map.contains(one))
        #expect(map.remove(one) == nil)
        #expect(map[two] == "two")
        #expect(map.count == 1)
    }

    @Test
    func `A slot is used again, and its old key does not find the new value`() {
        var map = SlotMap<Int>()
        let old = map.insert(1)
        map.remove(old)
        let new = map.insert(2)
        #expect(new.index == old.index)
        #expect(new != old)
        #expect(map[old] == nil)
        #expect(map[new] == 2)
    }

    @Test
    func `A value is changed in place`() {
        var map = SlotMap<[Int]>()
        let key = map.insert([1])
        map[key]?.append(2)
        #expect(map[key] == [1, 2])
        map[key] = [3]
        #expect(map[key] == [3])
    }

    @Test
    func `Assigning nil removes the value and frees its slot`() {
        var map = SlotMap<Int>()
        let key = map.insert(1)
        map[key] = nil
        #expect(map.isEmpty)
        #expect(!map.contains(key))
        #expect(map.insert(2).index == key.index)
        #expect(map.count == 1)
    }

    @Test
    func `Assigning through a stale key does nothing`() {
        var map = SlotMap<Int>()
        let old = map.insert(1)
        map.remove(old)
        map[old] = 5
        #expect(map.isEmpty)
        let new = map.insert(2)
        map[old] = 5
        map[old]? += 1
        #expect(map[new] == 2)
        #expect(map.count == 1)
    }

    @Test
    func `Every old key is stale after removeAll(), also for slots that were reused often`() {
        var map = SlotMap<Int>()
        var keys: [SlotMap<Int>.Key] = []
        for number in 0..<10 { keys.append(map.insert(number)) }
        for _ in 0..<5 {
            map.remove(keys[3])
            keys[3] = map.insert(3)
        }
        map.removeAll()
        #expect(map.isEmpty)
        for number in 0..<10 { _ = map.insert(number + 100) }
        #expect(keys.allSatisfy { !map.contains($0) && map[$0] == nil })
    }

    @Test
    func `A large map gives its memory back when the last value leaves, and its old keys stay stale`() {
        var map = SlotMap<Int>()
        let keys = (0..<5000).map { map.insert($0) }
        for key in keys { map.remove(key) }
        #expect(map.slotCount == 0)
        _ = map.insert(1)
        #expect(!map.contains(keys[0]))
    }

    @Test
    func `A removed object is released at once`() {
        final class Object {}
        var map = SlotMap<Object>()
        var object: Object? = Object()
        let isAlive = { [weak object] in object != nil }
        let key = object.map { map.insert($0) }
        object = nil
        #expect(isAlive())
        if let key { map.remove(key) }
        #expect(!isAlive())
    }
}
