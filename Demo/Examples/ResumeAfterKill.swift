import Foundation
import LoopbackHTTP
import NetworkQueueKit

enum ResumeAfterKill: Example {
    static let subject = "a download goes on after its process has been killed, and is checked"
    static let childArgument = "download-until-killed"

    static func run(_ site: Site) async throws {
        let file = site.file("large.bin")
        // The first half, then silence: there the process is killed.
        let gate = Gate()
        let half = ExampleService.large.size / 2
        let content = ScriptedResponse.generated(size: ExampleService.large.size, seed: 1)
            .acceptingRanges(etag: "\"1\"")
        site.server.serve("/large", content.gated(by: gate, at: .afterBody(half)))
        let child = Process()
        child.executableURL = Bundle.main.executableURL
        child.arguments = [childArgument, site.url("/large").absoluteString, file.path()]
        try child.run()
        try check(await gate.waitForArrival(), "half of it has been sent")
        let part = site.file("large.bin.nqk.part")
        while (try? part.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0 == 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
        try check(
            !FileManager.default.fileExists(atPath: file.path()),
            "a file that is not complete does not have its final name")

        site.server.serve("/large", content)
        var request = request(site.url("/large"), file)
        request.expectedChecksum = .sha256(ExampleService.largeSHA256)
        let response = try await RequestQueue().response(for: request)
        try check(response.head.statusCode == 206, "only the rest was asked for")
        try check((response.metrics?.bytesReceived ?? 0) < ExampleService.large.size, "the first part was kept")
    }

    private static func request(_ url: URL, _ file: URL) -> NetworkRequest {
        var request = NetworkRequest(url)
        request.destination = .file(file)
        return request
    }

    static func runChild(_ arguments: [String]) async {
        guard arguments.count == 2, let url = URL(webAddress: arguments[0]) else { return }
        _ = try? await RequestQueue().response(for: request(url, URL(filePath: arguments[1])))
    }
}
