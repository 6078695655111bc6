import Foundation
import LoopbackHTTP

/// Which files are downloaded; the same for every contender, round and machine.
enum WanWork: String, CaseIterable, Codable {
    case small, large, mix

    /// The sizes in bytes, in the order of the requests.
    var sizes: [Int] {
        switch self {
        case .small:
            var random = SplitMix64(seed: 7)
            return (0..<400).map { _ in Int.random(in: 2_000...40_000, using: &random) }
        case .large: return Array(repeating: 5_000_000, count: 20)
        case .mix:
            let small = WanWork.small.sizes
            return WanWork.large.sizes.indices.flatMap { small[($0 * 20)..<($0 * 20 + 20)] + [5_000_000] }
        }
    }

    /// Writes the files into a folder of the server's, named by their number.
    func write(to tree: URL) throws {
        let folder = tree.appending(path: rawValue)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Bytes in which nothing can be saved by compressing.
        var random = SplitMix64(seed: 11)
        let content = Data((0..<1_000_000).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } })
        for (number, size) in sizes.enumerated() {
            try content.prefix(size).write(to: folder.appending(path: "\(number)"))
        }
    }
}
