import Foundation

/// Where lines for people and lines for programs go.
struct Output {
    let isJSON: Bool

    /// A line for people: on standard error where standard output is for programs.
    func text(_ line: String) {
        write(line, to: isJSON ? .standardError : .standardOutput)
    }

    func json(_ value: some Encodable) {
        if isJSON { write(value.json, to: .standardOutput) }
    }

    private func write(_ line: String, to handle: FileHandle) {
        handle.write(Data((line + "\n").utf8))
    }
}
