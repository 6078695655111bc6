import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// What clients have stored on the server, with a condition or by tus. It loses some of its answers.
final class Deposit: Sendable {
    /// What a URL has.
    enum Copy: Sendable, Equatable { case foreign, sent(Date) }

    private struct Upload {
        let number: Int
        var offset: Int64
    }

    private struct State {
        var copies: [String: Copy] = [:]
        var uploads: [String: Upload] = [:]
        /// The uploads by tus of which a client knows that they are complete, by the key that it sends.
        var completed: Set<String> = []
    }

    /// The field that tells one operation from another.
    static let key = "X-Key"

    private let contents: [GeneratedContent]
    private let shared: SharedDice
    private let faults: Faults
    private let state: Guarded<State>

    init(_ contents: [GeneratedContent], seed: UInt64, _ faults: Faults) {
        (self.contents, self.faults) = (contents, faults)
        shared = SharedDice(seed)
        var state = State()
        for number in contents.indices where Self.isForeign(number) {
            for kind in ["new", "changed"] { state.copies["\(kind)/\(number)"] = .foreign }
        }
        self.state = Guarded(state)
    }

    /// Whether there is something else at the URLs of a number at first. Its size is the same for even numbers.
    private static func isForeign(_ number: Int) -> Bool { number % 3 == 0 }

    // MARK: Conditional uploads

    /// Whether the URL has what it must have after a success.
    func hasCopy(_ kind: String, _ number: Int) -> Bool {
        let copy = state.withLock { $0.copies["\(kind)/\(number)"] }
        return kind == "new" && Self.isForeign(number) ? copy == .foreign : copy.map { $0 != .foreign } ?? false
    }

    /// Answers a request to `/new/number`, where nothing may be replaced, or to `/changed/number`.
    func answer(_ request: ReceivedRequest, _ kind: String, _ number: Int) -> ScriptedResponse {
        let content = contents[number]
        let roll = shared.roll { $0.number(0..<16) }
        guard request.method == "PUT" else {
            if roll < 2 { return .status(roll == 0 ? 405 : 503) }
            switch state.withLock({ $0.copies["\(kind)/\(number)"] }) {
            case nil: return .status(404)
            case .foreign:
                return .generated(size: content.size + Int64(number % 2), seed: ~content.seed)
                    .header("Last-Modified", "Sun, 09 Sep 2001 01:46:40 GMT")
            case .sent(let date):
                return .generated(size: content.size, seed: content.seed).header("Last-Modified", Self.text(date))
            }
        }
        let asks = request.headers["If-None-Match"] == "*"
        faults.expect(asks == (kind == "new"), "a PUT to /\(kind) comes with the condition of another")
        guard request.isComplete else { return .hangUp }
        let isRefused = state.withLock { state in
            if asks, state.copies["\(kind)/\(number)"] != nil { return true }
            state.copies["\(kind)/\(number)"] = .sent(.now)
            return false
        }
        if isRefused { return .status(412) }
        return roll < 2 ? (roll == 0 ? .hangUp : .status(503)) : .status(201)
    }

    private static func text(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }

    // MARK: tus

    /// Whether the server has told the operation with this key that it has all of its file.
    func hasCompleted(_ key: String) -> Bool { state.withLock { $0.completed.contains(key) } }

    /// Answers a request to the endpoint `/tus/number`, or to one of its uploads, `/tus/number/name`.
    func answerTus(_ request: ReceivedRequest, _ number: Int, _ name: String?) -> ScriptedResponse {
        let roll = shared.roll { $0.number(0..<40) }
        if request.method == "OPTIONS" {
            return .status(204, headers: ["Tus-Version": "1.0.0", "Tus-Extension": "creation,termination"])
        }
        if roll == 0 { return .status(503) }
        let key = request.headers[Self.key] ?? ""
        return state.withLock { state in
            switch (request.method, name) {
            case ("POST", nil):
                faults.expect(
                    request.headers["Upload-Length"] == "\(contents[number].size)", "an upload has another length")
                let name = "\(state.uploads.count)"
                state.uploads[name] = Upload(number: number, offset: 0)
                if contents[number].size == 0 { state.completed.insert(key) }
                return .status(201, headers: ["Location": "/tus/\(number)/\(name)"])
            case ("HEAD", let name?):
                guard let upload = state.uploads[name], roll > 1 else { return .status(404) }
                if upload.offset == contents[number].size { state.completed.insert(key) }
                return .status(
                    200, headers: ["Upload-Offset": "\(upload.offset)", "Upload-Length": "\(contents[number].size)"])
            case ("PATCH", let name?): return patch(&state, request, name, key, roll)
            default: return .status(405)
            }
        }
    }

    /// Stores a piece, or, as if the connection had been cut, a part of it without an answer.
    private func patch(
        _ state: inout State, _ request: ReceivedRequest, _ name: String, _ key: String, _ roll: Int
    ) -> ScriptedResponse {
        guard let upload = state.uploads[name] else { return .status(404) }
        guard request.headers["Upload-Offset"] == "\(upload.offset)" else { return .status(409) }
        let content = contents[upload.number]
        let end = upload.offset + request.bodyLength
        faults.expect(
            request.bodyChecksum == ContentChecksum.of(content.bytes(in: upload.offset..<end)) && end <= content.size,
            "a piece has other bytes than the file from \(upload.offset) to \(end) of \(content.size)")
        guard request.isComplete, roll > 6 else {
            state.uploads[name]?.offset = upload.offset + request.bodyLength * Int64(roll % 3) / 2
            return .hangUp
        }
        state.uploads[name]?.offset = end
        if end == content.size { state.completed.insert(key) }
        return .status(204, headers: ["Upload-Offset": "\(end)"])
    }
}
