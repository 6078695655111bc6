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

    /// The server's response to a request for the file.
    var response: ScriptedResponse {
        let response = ScriptedResponse.generated(size: size, seed: seed)
        return switch disclosure {
        case .full: response
        case .refusingHEAD: response.refusingHEAD()
        case .chunked: response.chunked()
        case .untilClose: response.untilClose()
        }
    }
}
