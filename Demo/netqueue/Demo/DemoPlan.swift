import Foundation
import LoopbackHTTP

/// The files that the demo downloads: many small ones, some larger, a few large, and some of unknown size.
struct DemoPlan: Sendable {
    /// The delay before each response, to simulate a distant server.
    static let latency = Duration.milliseconds(15)

    let files: [DemoFile]

    /// Creates a plan; the same `count` always gives the same files.
    init(count: Int) {
        var generator = SplitMix64(seed: 2011)
        let places = (0..<count).map { index -> (file: DemoFile, place: Double) in
            let size = Self.size(index, using: &generator)
            let disclosure = Self.disclosure(index)
            let file = DemoFile(
                path: Self.path(index, size: size), size: size, seed: UInt64(index), disclosure: disclosure)
            // Keep large files out of the second half: one at the end would leave the other connections idle.
            let place = Double.random(in: 0..<1, using: &generator) * (size >= 8 << 20 ? 0.5 : 1)
            return (file, place)
        }
        files = places.sorted { $0.place < $1.place }.map(\.file)
    }

    var byteCount: Int64 { files.reduce(0) { $0 + $1.size } }

    /// The rate for each file at which all transfers take about `seconds`; `nil` means unlimited.
    func pace(seconds: Double, connections: Int) -> ((DemoFile) -> Int64)? {
        guard seconds > 0 else { return nil }
        let lanes = Double(min(connections, max(1, files.count)))
        // Each file has two responses: one for the size and one for the content.
        let waiting = 2 * Double(files.count) * (Self.latency / .seconds(1)) / lanes
        let common = Double(byteCount) / lanes / max(seconds - waiting, seconds / 10)
        // No single file may delay the end.
        return { file in
            let rate = max(common, Double(file.size) * 2 / seconds)
            return rate < 0x1p62 ? Int64(rate) + 1 : 1 << 62
        }
    }

    private static func size(_ index: Int, using generator: inout SplitMix64) -> Int64 {
        let range: ClosedRange<Int64> =
            switch index % 40 {
            case 7: 8 << 20...20 << 20
            case 3, 13, 23, 33: 1 << 20...4 << 20
            case let step where step % 5 == 1: 64 << 10...512 << 10
            default: 1 << 10...64 << 10
            }
        return .random(in: range, using: &generator)
    }

    private static func disclosure(_ index: Int) -> DemoFile.Disclosure {
        switch index % 20 {
        case 4, 13: .chunked
        case 9: .untilClose
        case 16: .refusingHEAD
        default: .full
        }
    }

    private static func path(_ index: Int, size: Int64) -> String {
        let (folder, suffix) =
            switch size {
            case (8 << 20)...: ("films", "mov")
            case (1 << 20)...: ("music", "flac")
            case (64 << 10)...: ("photos", "jpg")
            default: ("notes", "txt")
            }
        return "\(folder)/\(String(format: "%04d", index + 1)).\(suffix)"
    }
}
