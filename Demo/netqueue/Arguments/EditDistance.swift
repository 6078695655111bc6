/// The edit distance between two words.
enum EditDistance {
    /// The minimum number of letters to insert, delete, replace or swap with their neighbor.
    static func between(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
        var before: [Int] = []
        var above = Array(0...second.count)
        for row in 1...first.count {
            var current = [row]
            for column in 1...second.count {
                let isSame = first[row - 1] == second[column - 1]
                var best = min(above[column] + 1, current[column - 1] + 1, above[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    best = min(best, before[column - 2] + 1)
                }
                current.append(best)
            }
            (before, above) = (above, current)
        }
        return above[second.count]
    }
}
