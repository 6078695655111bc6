import LoopbackHTTP

/// A file that the demo's server has.
struct DemoFile: Hashable, Sendable {
    /// What the server tells about the file's size beforehand.
    enum Disclosure: Hashable, Sendable {
        /// All of it.
        case full
        /// Nothing to HEAD, which it refuses; all of it to GET.
        case refusingHEAD
        /// Nothing: the content comes in chunks.
        case chunked
        /// Nothing: the end of the connection is the end of the content.
        case untilClose
    }

    /// Its path on the server and in the folder.
    let path: String
    let size: Int64
    let seed: UInt64
    let disclosure: Disclosure

    var content: GeneratedContent { GeneratedContent(size: size, seed: seed) }

    /// The answer to a request for it.
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
