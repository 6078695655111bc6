import Foundation
import LoopbackHTTP

/// Runs all examples, or those named on the command line, one after the other.
@main
struct Examples {
    private static let all: [any Example.Type] = [
        DelegateBatch.self, AsyncBatch.self, ASINetworkQueuePort.self, RequestQueuePort.self, OneByOne.self,
        TypedJSON.self, LargeForm.self, TokenRefresh.self, ResumeAfterKill.self, ViewModelOnMain.self,
        LimitedClient.self, JSONLines.self, TestsWithoutNetwork.self, Daemon.self, PhotoSyncing.self, BulkUpload.self,
        Crawling.self, AlamofirePort.self, DownloadManagerKilled.self,
    ]

    static func main() async throws {
        let names = CommandLine.arguments.dropFirst()
        // Modes of the child processes that examples start and kill.
        if names.first == ResumeAfterKill.childArgument {
            return await ResumeAfterKill.runChild(Array(names.dropFirst()))
        }
        if names.first == DownloadManagerKilled.childArgument, let folder = names.last {
            return try await DownloadManager(folder: URL(filePath: folder)).run()
        }
        var failureCount = 0
        for example in all where names.isEmpty || names.contains("\(example)") {
            do {
                try await run(example)
                print("✓ \(example): \(example.subject)")
            } catch {
                print("✗ \(example): \(error)")
                failureCount += 1
            }
        }
        exit(failureCount == 0 ? 0 : 1)
    }

    private static func run(_ example: any Example.Type) async throws {
        let server = try LoopbackServer()
        ExampleService.script(server)
        let folder = FileManager.default.temporaryDirectory.appending(component: "netqueue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            server.stop()
            try? FileManager.default.removeItem(at: folder)
        }
        try await example.run(Site(server: server, folder: folder))
    }
}
