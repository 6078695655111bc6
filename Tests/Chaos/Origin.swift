import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// A server that spoils some of its answers, and knows what it should have received.
struct Origin {
    let server: LoopbackServer
    let contents: [GeneratedContent]
    let deposit: Deposit
    let links: Links
    private let record = Guarded<[String: [Receipt]]>([:])

    init(_ seed: UInt64, _ faults: Faults) throws {
        var dice = Dice(seed)
        let contents = (0..<24).map { number in
            let limit = number % 6 == 0 ? 1_500_000 : 30_000
            return GeneratedContent(size: Int64(dice.number(0..<limit)), seed: seed &+ UInt64(number))
        }
        self.contents = contents
        server = try LoopbackServer(recordsRequests: false)
        let shared = SharedDice(dice.next())
        let (deposit, links) = (Deposit(contents, seed: dice.next(), faults), Links(seed: dice.next(), faults))
        (self.deposit, self.links) = (deposit, links)
        server.serve("/*") { [record] request in
            // `/kind/number`, and `/tus/number/name`
            let parts = request.path.split(separator: "/").map(String.init)
            guard parts.count >= 2, let number = Int(parts[1]), contents.indices.contains(number) else {
                return .status(404)
            }
            let content = contents[number]
            let answer = ScriptedResponse.generated(size: content.size, seed: content.seed)
                .acceptingRanges(etag: "\"\(seed)-\(number)\"")
            switch parts[0] {
            case "gone": return .status(404)
            case "put": return Self.answer(request, content, shared, faults)
            case "new", "changed": return deposit.answer(request, parts[0], number)
            case "tus": return deposit.answerTus(request, number, parts.dropFirst(2).first)
            case "redirect": return .redirect(to: "/file/\(number)")
            case "secret" where request.headers["Authorization"] == nil:
                return .status(401).header("WWW-Authenticate", "Basic realm=\"\(number % 4)\"")
            case "run":
                let receipt = Receipt(isHead: request.method == "HEAD", time: request.receivedAt)
                record.withLock { $0[request.query ?? "", default: []].append(receipt) }
                return receipt.isHead ? answer : Self.turn(answer, request.target, shared)
            case "honest": return answer
            case "slow": return answer.paced(bytesPerSecond: 20_000)
            case "link": if let refusal = links.refusal(of: request) { return refusal }
            default: break
            }
            return Self.spoil(answer, content, shared)
        }
    }

    func url(_ kind: String, _ number: Int) -> URL { server.url("/\(kind)/\(number)") }

    /// The requests of a trial.
    func receipts(_ key: String) -> [Receipt] { record.withLock { $0[key] ?? [] } }

    /// Answers without a loss of the connection, after which libcurl repeats a request by itself.
    private static func turn(
        _ answer: ScriptedResponse, _ target: String, _ shared: SharedDice
    ) -> ScriptedResponse {
        switch shared.roll({ $0.number(0..<40) }) {
        case 0: .status(404)
        case 1...4: .text("later", status: 503).header("Retry-After", "0")
        case 5...8: .redirect(to: target)
        case 9: answer.paced(bytesPerSecond: 2_000_000)
        default: answer
        }
    }

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
