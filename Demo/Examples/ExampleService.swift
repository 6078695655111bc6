import Foundation
import LoopbackHTTP

/// What the server of the examples answers.
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
        server.serve("/notes") { request in
            guard request.method == "POST" else { return .json(#"[{"id":1,"title":"Milk"},{"id":2,"title":"Bread"}]"#) }
            guard let note = try? JSONDecoder().decode(NewNote.self, from: request.body) else { return .status(400) }
            return .json(#"{"id":3,"title":"\#(note.title)"}"#, status: 201)
        }
        server.serve("/forms") { .text("\($0.bodyLength)") }
        server.serve("/token", .json(#"{"token":"fresh"}"#))
        server.serve("/private/*") { request in
            request.headers["Authorization"] == "Bearer fresh" ? .text("welcome") : .status(401)
        }
        server.serve("/limited", sequence: [.status(429).header("Retry-After", "0"), .json(#"{"sum":42}"#)])
        let lines = (1...1_000).map { #"{"number":\#($0)}"# }.joined(separator: "\n")
        server.serve("/lines", .data(Data(lines.utf8)).chunked(size: 100))
    }

    private struct NewNote: Decodable {
        let title: String
    }
}
