import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// Links that expire at random, each of which is renewed by its operation.
final class Links: Sendable {
    private struct Link {
        /// How many URLs there are. All are good or not by chance.
        var count = 1
        /// How often the link was renewed since it was last served.
        var renewals = 0
    }

    private let links = Guarded<[String: Link]>([:])
    private let shared: SharedDice
    private let faults: Faults

    init(seed: UInt64, _ faults: Faults) { (shared, self.faults) = (SharedDice(seed), faults) }

    /// A request whose URL expires.
    func request(_ url: URL) -> NetworkRequest {
        let key = UUID().uuidString
        links.withLock { $0[key] = Link() }
        var request = NetworkRequest(Self.link(url, key, 0))
        request.freshURL = { [self] expired, error in
            let former = links.withLock { links in
                let former = links[key] ?? Link()
                links[key]?.renewals += 1
                return former
            }
            faults.expect(
                (0..<former.count).contains { Self.link(url, key, $0) == expired }, "\(expired) is no link of \(key)")
            faults.expect([.httpStatus(403), .httpStatus(410)].contains(error.code), "a link expires with \(error)")
            faults.expect(former.renewals < 3, "a link is renewed \(former.renewals + 1) times without a byte")
            if shared.roll({ $0.isOne(in: 2) }) { try? await Task.sleep(for: .milliseconds(2)) }
            if shared.roll({ $0.isOne(in: 12) }) { return nil }
            let number = links.withLock { links in
                links[key]?.count += 1
                return former.count
            }
            return Self.link(url, key, number)
        }
        return request
    }

    private static func link(_ url: URL, _ key: String, _ number: Int) -> URL {
        url.appending(queryItems: [URLQueryItem(name: key, value: "\(number)")])
    }

    /// The refusal of a link that has expired; `nil` if it is good.
    func refusal(of request: ReceivedRequest) -> ScriptedResponse? {
        if let status = shared.roll({ $0.pick([403, 410, nil, nil]) }) { return .status(status) }
        let key = request.query?.split(separator: "=").first.map(String.init) ?? ""
        links.withLock { $0[key]?.renewals = 0 }
        return nil
    }
}
