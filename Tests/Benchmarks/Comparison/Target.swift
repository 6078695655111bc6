/// A figure that the library is to reach, and the one it has.
struct Target {
    enum Bound {
        case atLeast(Double)
        case atMost(Double)
    }

    let name: String
    /// `nil` when it could not be measured.
    let figure: Double?
    let bound: Bound
    let unit: String

    init(_ name: String, _ figure: Double?, _ bound: Bound, _ unit: String) {
        self.name = name
        self.figure = figure.flatMap { $0.isFinite ? $0 : nil }
        self.bound = bound
        self.unit = unit
    }

    var isMet: Bool? {
        guard let figure else { return nil }
        return switch bound {
        case .atLeast(let limit): figure >= limit
        case .atMost(let limit): figure <= limit
        }
    }

    var line: String {
        let limit =
            switch bound {
            case .atLeast(let limit): ">= \(limit)"
            case .atMost(let limit): "<= \(limit)"
            }
        let verdict =
            switch isMet {
            case true?: "ok"
            case false?: "MISSED"
            case nil: "not measured"
            }
        let measured = figure.map { format("%10.2f", $0) } ?? "         -"
        return "\(name.padded(to: 62)) \(measured)   \("\(limit) \(unit)".padded(to: 26)) \(verdict)"
    }

    static func report(_ targets: [Target], to output: Output) {
        guard !targets.isEmpty else { return }
        output.text("Target".padded(to: 62) + "   measured   wanted")
        targets.forEach { output.text($0.line) }
    }
}
