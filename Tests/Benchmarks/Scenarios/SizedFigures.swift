/// What a scenario without a network measures at one size.
protocol SizedFigures: Codable {
    static var titles: String { get }
    /// How wide the columns are below the titles, the first for the size.
    static var widths: [Int] { get }

    var size: Int { get }
    /// All that is measured, in the order of the titles; NaN where nothing could be.
    var columns: [Double] { get }

    init(size: Int, columns: [Double])
}

extension SizedFigures {
    /// One for each size, in the order of their first: each column's own median.
    static func medians(_ all: [Self]) -> [Self] {
        let sizes = all.reduce(into: [Int]()) { if !$0.contains($1.size) { $0.append($1.size) } }
        return sizes.map { size in
            let tries = all.filter { $0.size == size }.map(\.columns)
            return Self(size: size, columns: tries[0].indices.map { column in tries.map { $0[column] }.median })
        }
    }

    /// Lines of text, with how many times the first size's figures each size has.
    static func table(_ all: [Self]) -> [String] {
        guard let first = all.first else { return [] }
        return [titles]
            + all.map { figures in
                let texts = zip(widths, [Double(figures.size)] + figures.columns).map { format("%\($0).0f", $1) }
                let ratios = zip(figures.columns, first.columns).map { format("%.2f", $0 / $1) }
                return texts.joined() + "   × first: " + ratios.joined(separator: " ")
            }
    }
}
