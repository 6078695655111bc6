import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ManyMachinesRecipeTests {
    private let rig: NetqueueRig
    private let recipe: Recipe

    private static let hasParallel = FileManager.default.isExecutableFile(atPath: "/usr/bin/parallel")

    init() throws {
        rig = try NetqueueRig()
        recipe = try Recipe(.manyMachines, in: rig)
        for number in 0..<40 { rig.server.serve("/n\(number)", .text("content")) }
        try rig.folder.write((0..<40).map { rig.url("/n\($0)") + "\n" }.joined(), to: "list.txt")
    }

    private func expectAll(_ comment: Comment) async throws {
        #expect(try rig.folder.files(in: "files").count == 40, comment)
        let downloads = rig.server.requests.filter { $0.method == "GET" }.map(\.path)
        #expect(downloads.count == 40 && Set(downloads).count == 40, comment)
        let status = try await recipe.run("One bar for all")
        #expect(status.exitCode == 0 && status.output.hasPrefix("40/40 files, "), comment)
        let names = (1...4).map { "\($0)-of-4.netqueue.json" }
        #expect(try rig.folder.files(in: "state") == names, comment)
    }

    /// Runs a script as four machines, each with its number in a variable.
    private func run(_ script: String, _ variable: String, from first: Int) async throws -> [Int32] {
        #expect(try await recipe.run("Overview").exitCode == 0)
        return try await withThrowingTaskGroup(of: Int32.self) { group in
            for number in first..<first + 4 {
                group.addTask { try await recipe.run(script: script, environment: [variable: "\(number)"]).exitCode }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `A Slurm array downloads the list, and one bar shows it`() async throws {
        #expect(recipe.headings == ["Overview", "GNU parallel", "One bar for all"])
        let script = try #require(recipe.files["download.slurm"])
        #expect(script.contains("\n#SBATCH --array=1-4\n"))
        #expect(try await run(script, "SLURM_ARRAY_TASK_ID", from: 1) == [0, 0, 0, 0])
        try await expectAll("Slurm")
    }

    @Test func `A Kubernetes Job downloads the list, and one bar shows it`() async throws {
        let file = try #require(recipe.files["download.yaml"])
        #expect(file.contains("completions: 4\n") && file.contains("command: [\"sh\", \"-c\"]\n"))
        let script = try #require(file.firstMatch(of: #/- \|\n +(.+\n)/#)?.1)
        #expect(try await run(String(script), "JOB_COMPLETION_INDEX", from: 0) == [0, 0, 0, 0])
        try await expectAll("Kubernetes")
    }

    @Test(.enabled(if: hasParallel, "there is no parallel"))
    func `GNU parallel downloads the list, and one bar shows it`() async throws {
        #expect(try await recipe.run("Overview").exitCode == 0)
        let run = try await recipe.run("GNU parallel")
        #expect(run.exitCode == 0, "\(run.error)")
        try await expectAll("parallel")
    }
}
