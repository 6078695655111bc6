import Foundation

/// Where a contender's files go; they are checked and removed after each run.
struct DownloadFolder {
    let url: URL

    func prepare() throws {
        try? FileManager.default.removeItem(at: url)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Throws where not exactly these files are there, named by their number.
    func check(_ sizes: [Int]) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        guard names.count == sizes.count else { throw BenchmarkFailure("\(names.count) files of \(sizes.count)") }
        for (number, size) in sizes.enumerated() {
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.appending(path: "\(number)").path)
            let found = attributes?[.size] as? Int
            guard found == size else {
                throw BenchmarkFailure("file \(number) has \(found.map(String.init) ?? "no") bytes, not \(size)")
            }
        }
    }
}
