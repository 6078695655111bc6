import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// A small tus 1.0.0 server on a `LoopbackServer`, which does what a test tells it.
final class TusServer: Sendable {
    enum Fault: Sendable {
        /// Takes so many bytes of the piece, and hangs up without an answer.
        case cut(after: Int64)
        /// Takes nothing and answers with a status.
        case answer(Int)
        /// Takes the piece, and does not answer until the gate lets it.
        case hold(Gate)
        /// Takes nothing and claims an offset.
        case claim(String)
    }

    struct Piece: Sendable, Equatable {
        let start: Int64
        let length: Int64
        let checksum: UInt64
    }

    struct State: Sendable {
        var offsets: [String: Int64] = [:]
        var lengths: [String: Int64] = [:]
        /// What came with each PATCH that was answered or cut.
        var pieces: [Piece] = []
        var log: [String] = []
        var metadata: String?
        var checksums: [String] = []
        /// The faults of the PATCHes to come, by number.
        var patchFaults: [Int: Fault] = [:]
        var headFaults: [Int: Fault] = [:]
        var isCut: Bool { patchFaults.values.contains { if case .cut = $0 { true } else { false } } }
        var patchCount = 0
        var headCount = 0
        var extensions = "creation,termination"
        var location = "/files/"
        var expires: String?
    }

    let server: LoopbackServer
    private let state = Guarded(State())

    init(_ server: LoopbackServer, _ change: (inout State) -> Void = { _ in }) {
        self.server = server
        self.change(change)
        server.serve("/files*") { [state] request in
            state.withLock { state in
                let response = state.answer(request)
                // libcurl would repeat by itself what is cut on a connection that was used before.
                return state.isCut ? response.closing() : response
            }
        }
    }

    var endpoint: URL { server.url("/files") }
    /// The methods and paths so far, with the offset of a PATCH.
    var log: [String] { state.withLock { $0.log } }
    var current: State { state.withLock { $0 } }

    func change(_ change: (inout State) -> Void) {
        nonisolated(unsafe) let change = change  // called at once
        state.withLock { change(&$0) }
    }

    /// Drops all uploads, as a server does after their time.
    func expire() { change { $0.offsets = [:] } }
}

extension TusServer.State {
    mutating func answer(_ request: ReceivedRequest) -> ScriptedResponse {
        let offset = request.headers["Upload-Offset"]
        log.append([request.method, request.path, offset].compactMap(\.self).joined(separator: " "))
        if request.method != "OPTIONS", request.headers["Tus-Resumable"] != "1.0.0" { return .status(412) }
        switch request.method {
        case "OPTIONS":
            return .status(
                204,
                headers: ["Tus-Version": "1.0.0", "Tus-Extension": extensions, "Tus-Checksum-Algorithm": "md5,sha1"])
        case "POST":
            guard let length = request.headers["Upload-Length"].flatMap({ Int64($0) }) else { return .status(400) }
            let name = "\(lengths.count)"
            (lengths[name], offsets[name], metadata) = (length, 0, request.headers["Upload-Metadata"])
            return withExpiry(.status(201, headers: ["Location": location + name]))
        case "HEAD": return ask(request)
        case "PATCH": return patch(request)
        case "DELETE":
            offsets[name(of: request)] = nil
            return .status(204)
        default: return .status(405)
        }
    }

    private func name(of request: ReceivedRequest) -> String {
        request.path.split(separator: "/").last.map(String.init) ?? ""
    }

    private func withExpiry(_ response: ScriptedResponse) -> ScriptedResponse {
        expires.map { response.header("Upload-Expires", $0) } ?? response
    }

    private mutating func ask(_ request: ReceivedRequest) -> ScriptedResponse {
        defer { headCount += 1 }
        switch headFaults[headCount] {
        case .answer(let status): return .status(status)
        case .claim(let offset): return .status(200, headers: ["Upload-Offset": offset])
        case .cut, .hold: return .hangUp
        case nil: break
        }
        let name = name(of: request)
        guard let offset = offsets[name], let length = lengths[name] else { return .status(404) }
        return .status(200, headers: ["Upload-Offset": "\(offset)", "Upload-Length": "\(length)"])
    }

    private mutating func patch(_ request: ReceivedRequest) -> ScriptedResponse {
        defer { patchCount += 1 }
        let name = name(of: request)
        guard let offset = offsets[name] else { return .status(404) }
        guard request.headers["Upload-Offset"] == "\(offset)" else { return .status(409) }
        if let checksum = request.headers["Upload-Checksum"] { checksums.append(checksum) }
        let piece = TusServer.Piece(start: offset, length: request.bodyLength, checksum: request.bodyChecksum)
        switch patchFaults[patchCount] {
        case .answer(let status): return .status(status)
        case .claim(let offset): return .status(204, headers: ["Upload-Offset": offset])
        case .cut(let length):
            pieces.append(piece)
            offsets[name] = offset + min(length, request.bodyLength)
            return .raw(Data()).dropping(after: 0)
        case .hold(let gate):
            pieces.append(piece)
            offsets[name] = offset + request.bodyLength
            return ScriptedResponse.status(204).gated(by: gate)
        case nil:
            pieces.append(piece)
            offsets[name] = offset + request.bodyLength
            return withExpiry(.status(204, headers: ["Upload-Offset": "\(offset + request.bodyLength)"]))
        }
    }
}
