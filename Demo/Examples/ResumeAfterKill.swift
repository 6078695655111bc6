import Foundation
import LoopbackHTTP
import NetworkQueueKit

enum ResumeAfterKill: Example {
    static let subject = "a download goes on after its process has been killed, and is checked"
    static let childArgument = "download-until-killed"

    static func run(_ site: Site) async throws {
        let file = site.file("large.bin")
        // The server sends the first half and then nothing, so that the process can be killed there.
        let gate = Gate()
        let half = ExampleService.large.size / 2
        let content = ScriptedResponse.generated(size: half * 2, seed: 1).acceptingRanges(etag: "\"1\"")
        site.server.serve("/large", content.gated(by: gate, at: .afterBody(half)))
        let child = try Child(
            childArgument, site.url("/large").absoluteString, file.path(percentEncoded: false), log: site.file("log"))
        try await eventually("half of it is there") { fileSize(site.file("large.bin.nqk.part")) == half }
        child.kill()
        try check(
            !FileManager.default.fileExists(atPath: file.path(percentEncoded: false)),
            "a file that is not complete does not have its final name")

        gate.open()
        var request = NetworkRequest(site.url("/large"))
        request.expectedChecksum = .sha256(ExampleService.largeSHA256)
        let response = try await RequestQueue().download(request, to: file)
        try check(response.head.statusCode == 206, "only the rest was asked for")
        try check(response.metrics?.bytesReceived == half, "the first part was kept")
    }

    static func runChild(_ arguments: [String]) async {
        guard arguments.count == 2, let url = URL(webAddress: arguments[0]) else { return }
        _ = try? await RequestQueue().download(url, to: URL(filePath: arguments[1]))
    }
}
