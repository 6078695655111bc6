extension Target {
    /// What is wanted of the queue without a network, at the largest size measured.
    static func queue(_ figures: [QueueFigures]) -> [Target] {
        guard let first = figures.first, let last = figures.last else { return [] }
        let size = last.requests
        func growth(_ name: String, _ figure: KeyPath<QueueFigures, Double>) -> Target {
            let worst = figures.map { $0[keyPath: figure] }.max() ?? .nan
            return Target(
                "queue: \(name), slowest size against \(first.requests)", worst / first[keyPath: figure], .atMost(1.5),
                "x")
        }
        return [
            Target("queue at \(size): add, beyond creating the operation", last.add / 1000, .atMost(1.5), "us"),
            Target("queue at \(size): cancel one", last.cancelEach / 1000, .atMost(1), "us"),
            Target("queue at \(size): cancel one at random", last.cancelAtRandom / 1000, .atMost(1), "us"),
            Target("queue at \(size): finish and start the next", last.next / 1000, .atMost(2), "us"),
            growth("add", \.add), growth("cancel one", \.cancelEach), growth("finish and start the next", \.next),
            Target("queue at \(size): memory beyond the URLRequest", last.bytesPerRequest, .atMost(600), "bytes"),
        ]
    }

    /// What is wanted of adding with a look for duplicates.
    static func duplicate(_ figures: [DuplicateFigures]) -> [Target] {
        guard let first = figures.first else { return [] }
        return [("distinct requests", \DuplicateFigures.distinctChecked), ("ranges of one file", \.rangesChecked)]
            .map { name, figure in
                let worst = figures.map { $0[keyPath: figure] }.max() ?? .nan
                return Target(
                    "duplicate: \(name), slowest size against \(first.waiting)", worst / first[keyPath: figure],
                    .atMost(1.5), "x")
            }
    }

    /// What is wanted of a queue in which nothing happens.
    static func idle(_ figures: IdleScenario.Figures) -> [Target] {
        [
            Target("idle: suspended queue", figures.suspendedCoreShare * 100, .atMost(0.5), "% of a core"),
            Target("idle: stalled transfers", figures.stalledCoreShare * 100, .atMost(0.5), "% of a core"),
        ]
    }
}
