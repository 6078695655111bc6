/// What adding one request costs while so many wait, in nanoseconds.
struct DuplicateFigures: SizedFigures {
    static let titles =
        "ns per add, waiting      distinct  same, allowed  distinct, checked  ranges, checked  same, checked"
    static let widths = [19, 14, 15, 19, 17, 15]

    var scenario = Scenario.duplicate.rawValue
    var waiting: Int
    /// Another one, and an equal one, while duplicates are allowed.
    var distinctAllowed: Double
    var sameAllowed: Double
    /// Another one, another range of the same file, and an equal one, which includes cancelling the earlier.
    var distinctChecked: Double
    var rangesChecked: Double
    var sameChecked: Double

    init(size: Int, columns: [Double]) {
        waiting = size
        distinctAllowed = columns[0]
        sameAllowed = columns[1]
        distinctChecked = columns[2]
        rangesChecked = columns[3]
        sameChecked = columns[4]
    }

    var size: Int { waiting }
    var columns: [Double] { [distinctAllowed, sameAllowed, distinctChecked, rangesChecked, sameChecked] }
}
