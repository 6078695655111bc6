import Foundation
import LoopbackHTTP

/// A file on the demo's server.
struct DemoFile: Hashable, Sendable {
    /// How the server reveals the file's size.
    enum Disclosure: Hashable, Sendable {
        /// In `Content-Length`, to HEAD and GET.
        case full
        /// To GET only; HEAD is refused.
        case refusingHEAD
        /// Not at all: the content is chunked.
        case chunked
        /// Not at all: the content ends when the connection closes.
        case untilClose
    }

    /// The path on the server and below the local folder.
    let path: String
    let size: Int64
    let seed: UInt64
    let disclosure: Disclosure

    var content: GeneratedContent { GeneratedContent(size: size, seed: seed) }

    func url(in folder: URL) -> URL { folder.appending(path: path, directoryHint: .notDirectory) }

    /// The server's response to a request for the file, at a rate as of a distant server; `nil` means as fast as possible.
    func response(bytesPerSecond: Int64?) -> ScriptedResponse {
        var response = ScriptedResponse.generated(size: size, seed: seed)
        switch disclosure {
        case .full: break
        case .refusingHEAD: response = response.refusingHEAD()
        case .chunked: response = response.chunked()
        case .untilClose: response = response.untilClose()
        }
        guard let bytesPerSecond else { return response }
        return response.paced(bytesPerSecond: bytesPerSecond).delayed(head: DemoPlan.latency)
    }
}
