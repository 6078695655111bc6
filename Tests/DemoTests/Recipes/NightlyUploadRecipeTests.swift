import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct NightlyUploadRecipeTests {
    private let rig: NetqueueRig
    private let recipe: Recipe
    private let server = DAVServer()

    init() throws {
        rig = try NetqueueRig()
        recipe = try Recipe(.nightlyUpload, in: rig)
        rig.server.serve("/*") { [server] in server.answer($0) }
        for folder in ["photos/2026", ".local/bin"] {
            try FileManager.default.createDirectory(at: rig.folder.file(folder), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            at: rig.folder.file(".local/bin/netqueue"), withDestinationURL: NetqueueRig.executable())
        try rig.folder.write("machine 127.0.0.1 login me password secret\n", to: ".netrc")
        for name in ["a.jpg", "2026/b.jpg"] { try rig.folder.write(name, to: "photos/\(name)") }
    }

    /// What cron sets.
    private var environment: [String: String] { ["HOME": rig.folder.path, "PATH": "/usr/bin:/bin"] }

    /// Runs the command of the line for cron as cron does.
    private func night() async throws -> NetqueueRun {
        rig.server.forgetRequests()
        let fields = try #require(recipe.files["crontab"]).split(separator: " ", maxSplits: 5)
        #expect(fields.prefix(5) == ["30", "2", "*", "*", "*"])
        return try await recipe.run(script: String(try #require(fields.last)), environment: environment)
    }

    /// The paths that files were sent to.
    private var sent: [String] {
        rig.server.requests.filter { $0.method == "PUT" && $0.headers["Authorization"] != nil }.map(\.path)
    }

    @Test func `The first night sends the folder, and the second what has changed`() async throws {
        #expect(recipe.headings == ["Send the rest in the morning"])
        let first = try await night()
        #expect(first.exitCode == 0 && first.output.isEmpty && first.error.isEmpty)
        #expect(
            server.files == ["/backup/photos/2026/b.jpg": "2026/b.jpg", "/backup/photos/a.jpg": "a.jpg"])
        #expect(server.folders == ["/", "/backup/", "/backup/photos/", "/backup/photos/2026/"])
        #expect(try rig.folder.read("failed.txt").isEmpty)
        try rig.folder.write("another one", to: "photos/a.jpg")
        #expect(try await night().output.isEmpty)
        #expect(sent == ["/backup/photos/a.jpg"] && server.files["/backup/photos/a.jpg"] == "another one")
        let log = try rig.folder.read("nightly.log").split(separator: "\n")
        #expect(log.count == 4 && log[1].hasPrefix("2 files, ") && log[3].hasPrefix("2 files, "), "\(log)")
    }

    @Test func `A failure is mailed, and the list sends the rest`() async throws {
        server.refuses.withLock { $0 = "/backup/photos/a.jpg" }
        let run = try await night()
        #expect(run.output == "The upload failed; see nightly.log.\n")
        #expect(try rig.folder.read("nightly.log").contains(#/\n[-0-9]+T[0-9:.]+Z x photos\/a.jpg: 403 Forbidden\n/#))
        #expect(try rig.folder.read("failed.txt") == "photos/a.jpg\tout=photos/a.jpg\n")
        server.refuses.withLock { $0 = nil }
        rig.server.forgetRequests()
        let morning = try await recipe.run("Send the rest in the morning", environment: ["HOME": rig.folder.path])
        #expect(morning.exitCode == 0, "\(morning.error)")
        #expect(sent == ["/backup/photos/a.jpg"] && server.files.count == 2)
    }
}

/// A WebDAV server as Apache's mod_dav is: PUT and MKCOL need the folder above.
private final class DAVServer: Sendable {
    private let state = Guarded((files: [String: String](), folders: Set(["/"])))
    /// The path of a file that it does not take.
    let refuses = Guarded<String?>(nil)

    /// The contents by path.
    var files: [String: String] { state.withLock { $0.files } }
    var folders: Set<String> { state.withLock { $0.folders } }

    func answer(_ request: ReceivedRequest) -> ScriptedResponse {
        guard request.headers["Authorization"] == "Basic " + Data("me:secret".utf8).base64EncodedString() else {
            return .status(401, headers: ["WWW-Authenticate": "Basic realm=\"backup\""])
        }
        let path = request.path
        if request.method == "PUT", refuses.withLock({ $0 == path }) { return .status(403) }
        return state.withLock { state in
            let name = path.hasSuffix("/") ? path.dropLast() : path[...]
            let hasFolder = state.folders.contains(String(name.dropLast(name.reversed().prefix { $0 != "/" }.count)))
            switch request.method {
            case "MKCOL":
                if state.folders.contains(path) { return .status(405) }
                if hasFolder { state.folders.insert(path) }
                return .status(hasFolder ? 201 : 409)
            case "PUT":
                guard hasFolder else { return .status(409) }
                return .status(
                    state.files.updateValue(String(decoding: request.body, as: UTF8.self), forKey: path) == nil
                        ? 201 : 204)
            default:
                // A date after all changes, so that the length decides.
                return state.files[path].map { .text($0).header("Last-Modified", "Fri, 01 Jan 2100 00:00:00 GMT") }
                    ?? .status(404)
            }
        }
    }
}
