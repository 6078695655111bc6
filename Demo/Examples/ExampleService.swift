import Foundation
import LoopbackHTTP

/// The scripts of the examples' server.
enum ExampleService {
    /// The content of `/large`.
    static let large = GeneratedContent(size: 8 << 20, seed: 1)
    static let largeSHA256 = "1a45829852268ff9bb5b0084e75ab853ff8f85bcce665792b9abb24c367446b5"

    static func script(_ server: LoopbackServer) {
        // Files of 20 to 58 kB.
        for number in 0..<20 {
            server.serve("/files/\(number)", .generated(size: 20_000 + Int64(number) * 2_000, seed: UInt64(number)))
        }
        server.serve("/large", .generated(size: large.size, seed: 1).acceptingRanges(etag: "\"1\""))
        server.serve("/notes", answerNotes)
        server.serve("/forms") { .text("\($0.bodyLength)") }
        scriptAlbum(server)
        scriptUploads(server)
        scriptPages(server)
        server.serve("/token", .json(#"{"token":"fresh"}"#))
        server.serve("/private/*") { request in
            guard request.headers["Authorization"] == "Bearer fresh" else { return .status(401) }
            return switch request.path {
            case "/private/notes": answerNotes(request)
            case "/private/forms": .text("\(request.bodyLength)")
            case "/private/large": .generated(size: large.size, seed: 1)
            default: .text("welcome")
            }
        }
        server.serve("/limited", sequence: [.status(429).header("Retry-After", "0"), .json(#"{"sum":42}"#)])
        let lines = (1...1_000).map { #"{"number":\#($0)}"# }.joined(separator: "\n")
        server.serve("/lines", .data(Data(lines.utf8)).chunked(size: 100))
    }

    private static func answerNotes(_ request: ReceivedRequest) -> ScriptedResponse {
        guard request.method == "POST" else { return .json(#"[{"id":1,"title":"Milk"},{"id":2,"title":"Bread"}]"#) }
        guard let note = try? JSONDecoder().decode(NewNote.self, from: request.body) else { return .status(400) }
        return .json(#"{"id":3,"title":"\#(note.title)"}"#, status: 201)
    }

    // MARK: Services for the larger examples

    /// The content of a photo in the album.
    static func photo(_ number: Int) -> GeneratedContent { GeneratedContent(size: 40_000, seed: UInt64(number)) }

    /// An album at `/album`, with three photos and those that clients upload.
    private static func scriptAlbum(_ server: LoopbackServer) {
        let names = (1...3).map { "\($0).jpg" } + ["shared.jpg"]
        server.serve("/album") { [weak server] _ in
            let uploads = server?.requests.filter { $0.method == "PUT" && $0.path.hasPrefix("/album/") } ?? []
            let list = (names + uploads.map { $0.path.replacing("/album/", with: "") }).map { "\"\($0)\"" }
            return .json("[" + list.joined(separator: ",") + "]")
        }
        for number in 1...3 { server.serve("/album/\(number).jpg", .data(photo(number).data)) }
        server.serve("/album/*", .status(201))
    }

    /// An upload target at `/bulk/` that answers once with 503 and once with 507.
    private static func scriptUploads(_ server: LoopbackServer) {
        server.serve("/bulk/*", .status(201))
        server.serve("/bulk/3.bin", sequence: [.status(503), .status(201)])
        server.serve("/bulk/7.bin", sequence: [.status(507), .status(201)])
    }

    /// Twenty pages at `/site/`, each with links to two other pages (or a missing one), an old address and another
    /// host.
    private static func scriptPages(_ server: LoopbackServer) {
        for number in 0..<20 {
            let targets = [number * 2 + 1, number * 2 + 2].map { $0 < 20 ? "\($0)" : "gone" }
            let links = (targets + ["/site/0#top", "old", "http://elsewhere.invalid/"])
                .map { #"<a href="\#($0)">more</a>"# }
            server.serve("/site/\(number)", .data(Data(links.joined().utf8), contentType: "text/html"))
        }
        server.serve("/site/old", .redirect(to: "/site/0", status: 301))
    }

    private struct NewNote: Decodable {
        let title: String
    }
}

extension GeneratedContent {
    /// The whole content.
    var data: Data { Data(bytes(in: 0..<size)) }
}
