import Foundation

/// A list of URLs, one a line. Blank lines and lines that begin with `#` are skipped.
struct URLList {
    /// A line that is not a URL to download.
    struct BadLine: Hashable {
        let place: String
        let text: String
    }

    private(set) var urls: [URL] = []
    private(set) var badLines: [BadLine] = []

    /// Reads a file; `-` is the standard input.
    init(contentsOf path: String) throws {
        let handle = path == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(filePath: path))
        let data = try handle.readToEnd() ?? Data()
        self.init(text: String(decoding: data, as: UTF8.self), name: path == "-" ? "standard input" : path)
    }

    /// Reads a text; `name` tells where it is from.
    init(text: String, name: String) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces.union(.init(charactersIn: "\u{FEFF}")))
            if line.isEmpty || line.hasPrefix("#") { continue }
            if let url = URLText.url(line) {
                urls.append(url)
            } else {
                badLines.append(BadLine(place: "\(name):\(index + 1)", text: line))
            }
        }
    }
}
