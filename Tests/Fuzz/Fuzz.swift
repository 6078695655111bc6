import Foundation

/// A parser of text or bytes from outside, and what holds for whatever it is given.
struct FuzzTarget: Sendable {
    let name: String
    /// Inputs from which others are made.
    let seeds: [[UInt8]]
    /// Parses an input; ends the process if a promise is broken.
    let check: @Sendable ([UInt8]) -> Void

    init(_ name: String, seeds: [String], check: @escaping @Sendable ([UInt8]) -> Void) {
        self.init(name, bytes: seeds.map { Array($0.utf8) }, check: check)
    }

    init(_ name: String, bytes: [[UInt8]], check: @escaping @Sendable ([UInt8]) -> Void) {
        self.name = name
        seeds = bytes
        self.check = check
    }

    init(text name: String, seeds: [String], check: @escaping @Sendable (String) -> Void) {
        self.init(name, seeds: seeds) { check(String(decoding: $0, as: UTF8.self)) }
    }
}

/// libFuzzer's loop, which calls a function with one input after the other.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Feeds a parser with inputs that libFuzzer makes; see `.ci/fuzz`, which builds it.
///
/// usage: fuzz TARGET [an option of libFuzzer, a folder or a file...]
///        fuzz --targets
///        fuzz --seeds TARGET FOLDER
@main enum Fuzz {
    private static let targets: [FuzzTarget] = serverFields + storedTexts + userTexts + [serverBytes]
    private static let name = CommandLine.arguments.dropFirst().first ?? ""
    // A C function cannot capture it.
    private static let target = targets.first { $0.name == name }

    static func main() throws {
        switch CommandLine.arguments.dropFirst().first {
        case "--targets": print(targets.map(\.name).joined(separator: "\n"))
        case "--seeds" where CommandLine.arguments.count == 4:
            let folder = URL(filePath: CommandLine.arguments[3])
            for target in targets where target.name == CommandLine.arguments[2] {
                for (index, seed) in target.seeds.enumerated() {
                    try Data(seed).write(to: folder.appending(path: "\(index)"))
                }
            }
        case let name? where target?.name == name:
            // libFuzzer takes the first argument for the name of the program.
            var count = CommandLine.argc - 1
            var arguments = CommandLine.unsafeArgv + 1
            exit(
                runFuzzer(&count, &arguments) { bytes, count in
                    Fuzz.target?.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
                    return 0
                })
        default:
            FileHandle.standardError.write(Data("usage: see .ci/fuzz\n".utf8))
            exit(64)
        }
    }
}
