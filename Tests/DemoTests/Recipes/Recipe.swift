import Foundation
import Testing

/// A page of recipes, as its readers follow it: the files that they save, and the commands that they run.
///
/// A block of code after a line that ends with a name in backticks and a colon is the file of that name. Each other
/// block of `sh` has the commands of its heading.
struct Recipe {
    /// The pages that tests follow.
    enum Page: String, CaseIterable {
        case huggingFace = "RecipeHuggingFace"
        case zenodo = "RecipeZenodo"
        case indexMirror = "RecipeIndexMirror"
        case nightlyUpload = "RecipeNightlyUpload"
        case manyMachines = "RecipeManyMachines"
        case continuousIntegration = "RecipeContinuousIntegration"
        case ownProgress = "RecipeOwnProgress"
    }

    /// The contents by name.
    private(set) var files: [String: String] = [:]
    /// The headings with commands, in the order of the page.
    private(set) var headings: [String] = []
    private var commands: [String: String] = [:]
    private let rig: NetqueueRig

    static let folder = "Sources/NetworkQueueKit/NetworkQueueKit.docc"
    static let hasPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    /// Reads a page, and writes its files to the folder of the rig.
    ///
    /// The rig's server takes the place of each origin that the page names, such as `https://example.com`.
    init(_ page: Page, in rig: NetqueueRig) throws {
        self.rig = rig
        let origin = String(rig.url("/").dropLast())
        var heading = "", lead = ""
        var block: (language: String, lines: [String])?
        for line in try Self.text("\(Self.folder)/\(page.rawValue).md").components(separatedBy: "\n") {
            if let (language, lines) = block {
                block = line == "```" ? nil : (language, lines + [line])
                guard line == "```" else { continue }
                let code = lines.map { $0 + "\n" }.joined().replacing(#/https?:\/\/[^\/"' ]+/#, with: origin)
                if let name = lead.firstMatch(of: #/`([^`]+)`:$/#)?.1 {
                    try #require(files.updateValue(code, forKey: String(name)) == nil, "two files \(name)")
                    try rig.folder.write(code, to: String(name))
                } else if language == "sh" {
                    try #require(commands.updateValue(code, forKey: heading) == nil, "two blocks below \(heading)")
                    headings.append(heading)
                }
            } else if line.hasPrefix("```") {
                block = (String(line.dropFirst(3)), [])
            } else if line.hasPrefix("#") {
                (heading, lead) = (String(line.drop { $0 == "#" || $0 == " " }), "")
            } else if !line.isEmpty {
                lead = line
            }
        }
    }

    /// A file or folder of the repository.
    static func url(_ path: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").appending(path: path)
    }

    /// A text of the repository.
    static func text(_ path: String) throws -> String { try String(contentsOf: url(path), encoding: .utf8) }

    /// Runs the commands of a heading in the rig's folder, with netqueue in the path.
    ///
    /// - Parameter output: See ``NetqueueRig``.
    func run(
        _ heading: String, environment: [String: String] = [:], output: FileHandle? = nil,
        whileRunning: (Int32) async -> Void = { _ in }
    ) async throws -> NetqueueRun {
        try await run(
            script: try #require(commands[heading]), environment: environment, output: output,
            whileRunning: whileRunning)
    }

    /// Runs a script in the same way.
    func run(
        script: String, environment: [String: String] = [:], output: FileHandle? = nil,
        whileRunning: (Int32) async -> Void = { _ in }
    ) async throws -> NetqueueRun {
        let programs = try NetqueueRig.executable().deletingLastPathComponent().path(percentEncoded: false)
        let path = "\(programs):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        return try await rig.run(
            [], environment: ["PATH": path].merging(environment) { $1 }, output: output, shell: script,
            whileRunning: whileRunning)
    }
}
