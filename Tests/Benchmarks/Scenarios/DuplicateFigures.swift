/// What adding one request costs while so many wait, in nanoseconds.
struct DuplicateFigures: Codable {
    var scenario = Scenario.duplicate.rawValue
    var waiting: Int
    /// Another one, and an equal one, while duplicates are allowed.
    var distinctAllowed: Double
    var sameAllowed: Double
    /// Another one, another range of the same file, and an equal one, which includes cancelling the earlier.
    var distinctChecked: Double
    var rangesChecked: Double
    var sameChecked: Double

    static let titles = "distinct  same, allowed  distinct, checked  ranges, checked  same, checked"

    private var columns: [Double] { [distinctAllowed, sameAllowed, distinctChecked, rangesChecked, sameChecked] }

    init(waiting: Int, times: [Double]) {
        self.waiting = waiting
        distinctAllowed = times[0]
        sameAllowed = times[1]
        distinctChecked = times[2]
        rangesChecked = times[3]
        sameChecked = times[4]
    }

    func line(against first: DuplicateFigures) -> String {
        let figures = zip([14, 15, 19, 17, 15], columns).map { format("%\($0).0f", $1) }.joined()
        let ratios = zip(columns, first.columns).map { format("%.2f", $0 / $1) }
        return format("%19.0f", Double(waiting)) + figures + "   × first: " + ratios.joined(separator: " ")
    }
}
