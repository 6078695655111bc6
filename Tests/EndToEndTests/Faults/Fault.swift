import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Something that a server or the network gets wrong, and how a request must end. The page “When a server gets it wrong”
/// is printed from ``all``.
struct Fault: Sendable, CustomTestStringConvertible {
    /// What is requested.
    enum Job: String {
        case download, upload, head = "HEAD"
    }

    /// Makes the server ready; returns the URL to request, or `nil` for the server's `/fault`.
    typealias Script = @Sendable (LoopbackServer) throws -> URL?

    let name: String
    let job: Job
    /// The error; `nil` if the request finishes.
    let code: NetworkError.Code?
    /// What makes the row impossible over `URLSessionTransport`.
    let limitation: KnownLimitation?
    let script: Script

    var testDescription: String { name }

    /// What the page says of the end.
    var end: String { code.map { "``NetworkError/Code-swift.enum/\($0.symbol)``" } ?? "finishes" }

    init(
        _ name: String, _ code: NetworkError.Code?, job: Job = .download, limitation: KnownLimitation? = nil,
        script: @escaping Script
    ) {
        (self.name, self.job, self.code, self.limitation, self.script) = (name, job, code, limitation, script)
    }

    /// A server that answers every request to `/fault` so.
    init(
        _ name: String, _ code: NetworkError.Code?, job: Job = .download, limitation: KnownLimitation? = nil,
        _ response: ScriptedResponse
    ) {
        self.init(name, code, job: job, limitation: limitation) { server in
            server.serve("/fault", response)
            return nil
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
