import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Something that a server or the network gets wrong, and how a request must end.
///
/// The page “When a server gets it wrong” is printed from ``all``.
struct Fault: Sendable, CustomTestStringConvertible {
    /// What is requested.
    enum Job: String {
        case download, upload, head = "HEAD", post = "POST"
    }

    /// What a request meets.
    struct Scene: Sendable {
        /// What is requested; `nil`: the server's `/fault`.
        var url: URL?
        var configuration = TransportConfiguration.patient
        /// Whether the same URL is requested before, so that the fault meets a connection that has served.
        var hasKeptConnection = false
        /// Servers besides the given one, which end with the last reference to them.
        var others: [any Sendable] = []
    }

    /// Makes the server, and others, ready.
    typealias Script = @Sendable (LoopbackServer) throws -> Scene

    let name: String
    let job: Job
    /// The error; `nil` if the request finishes.
    let code: NetworkError.Code?
    /// What makes the row impossible over `URLSessionTransport`.
    let limitation: KnownLimitation?
    /// Whether the scene needs `python3` or `openssl`.
    let needsPrograms: Bool
    let script: Script

    var testDescription: String { job == .download ? name : "\(job.rawValue): \(name)" }

    /// What the page says of the end.
    var end: String { code.map { "``NetworkError/Code-swift.enum/\($0.symbol)``" } ?? "finishes" }

    init(
        _ name: String, _ code: NetworkError.Code?, job: Job = .download, limitation: KnownLimitation? = nil,
        needsPrograms: Bool = false, script: @escaping Script
    ) {
        (self.name, self.job, self.code, self.limitation, self.script) = (name, job, code, limitation, script)
        self.needsPrograms = needsPrograms
    }

    /// A server that answers every request to `/fault` so.
    init(
        _ name: String, _ code: NetworkError.Code?, job: Job = .download, limitation: KnownLimitation? = nil,
        _ response: ScriptedResponse
    ) {
        self.init(name, code, job: job, limitation: limitation) { server in
            server.serve("/fault", response)
            return Scene()
        }
    }

    /// A server that sends a text instead of a response.
    init(
        _ name: String, _ code: NetworkError.Code?, job: Job = .download, limitation: KnownLimitation? = nil,
        raw text: String
    ) {
        self.init(name, code, job: job, limitation: limitation, .raw(text))
    }
}

extension NetworkError.Code {
    /// The name of the case, as documentation links to it.
    fileprivate var symbol: String {
        if case .httpStatus = self { "httpStatus(_:)" } else { "\(self)" }
    }
}
