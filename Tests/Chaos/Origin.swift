import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// A server that spoils some of its answers, and knows what it should have received.
struct Origin {
    let server: LoopbackServer
    let contents: [GeneratedContent]

    init(_ seed: UInt64, _ faults: Faults) throws {
        var dice = Dice(seed)
        let contents = (0..<24).map { number in
            let limit = number % 6 == 0 ? 1_500_000 : 30_000
            return GeneratedContent(size: Int64(dice.number(0..<limit)), seed: seed &+ UInt64(number))
        }
        self.contents = contents
        server = try LoopbackServer(recordsRequests: false)
        let shared = SharedDice(dice.next())
        server.serve("/*") { request in
            // `/kind/number`
            let parts = request.path.split(separator: "/")
            guard parts.count == 2, let number = Int(parts[1]), contents.indices.contains(number) else {
                return .status(404)
            }
            let content = contents[number]
            if parts[0] == "gone" { return .status(404) }
            if parts[0] == "put" { return Self.answer(request, content, shared, faults) }
            if parts[0] == "redirect" { return .redirect(to: "/file/\(number)") }
            if parts[0] == "secret", request.headers["Authorization"] == nil {
                return .status(401).header("WWW-Authenticate", "Basic realm=\"\(number % 4)\"")
            }
            let answer = ScriptedResponse.generated(size: content.size, seed: content.seed)
                .acceptingRanges(etag: "\"\(seed)-\(number)\"")
            return Self.spoil(answer, content, shared)
        }
    }

    func url(_ kind: String, _ number: Int) -> URL { server.url("/\(kind)/\(number)") }

    private static func spoil(
        _ answer: ScriptedResponse, _ content: GeneratedContent, _ shared: SharedDice
    ) -> ScriptedResponse {
        let (kind, offset) = shared.roll { dice in
            (dice.number(0..<60), Int64.random(in: 0...content.size, using: &dice))
        }
        let last = min(offset, max(content.size - 1, 0))
        return switch kind {
        case 0: .hangUp
        case 1: answer.dropping(after: last, .reset)
        case 2: answer.dropping(after: last)
        case 3: .text("later", status: 503).header("Retry-After", "0")
        case 4: answer.stalling(after: last)
        case 5: .status(404)
        case 6...15: answer.delayed(head: .milliseconds(kind))
        case 16...20: answer.chunked(size: 1000)
        case 21...24: answer.paced(bytesPerSecond: 2_000_000)
        case 25...27: answer.closing()
        default: answer
        }
    }

    private static func answer(
        _ request: ReceivedRequest, _ content: GeneratedContent, _ shared: SharedDice, _ faults: Faults
    ) -> ScriptedResponse {
        if request.isComplete, request.method == "PUT" {
            let sum = ContentChecksum.of(content.bytes(in: 0..<content.size))
            faults.expect(
                request.bodyLength == content.size && request.bodyChecksum == sum,
                "the server has received another upload than was sent: \(request.bodyLength) of \(content.size)")
        }
        return switch shared.roll({ $0.number(0..<20) }) {
        case 0: .hangUp
        case 1: .text("later", status: 503)
        default: .text("stored", status: 201)
        }
    }
}
