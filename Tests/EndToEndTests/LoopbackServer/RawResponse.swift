import Foundation
import LoopbackHTTP

/// A response as it came over the wire.
struct RawResponse {
    var status: Int
    var reason: String
    var headers = ReceivedHeaders()
    var body: [UInt8] = []
    var chunkSizes: [Int] = []
    var trailers: [String] = []

    init(head lines: [String]) throws {
        let parts = lines.first?.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false) ?? []
        guard parts.count == 3, let status = Int(parts[1]) else { throw RawClient.Failure.closed }
        self.status = status
        reason = String(parts[2])
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            headers.add(String(pair[0]), pair.last?.trimmingCharacters(in: .whitespaces) ?? "")
        }
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(name: String) -> String? { headers[name] }
}
