import Foundation
import NetworkQueueKit

/// The lists of `--input` and `--checksums` that servers have sent.
struct RemoteLists: Sendable {
    /// The most bytes of a list, after decoding.
    static let largest = 64 << 20

    private let lists: [ByteText: (content: Data, url: URL)]

    /// Fetches the lists, one after the other. If one of them fails, so does the program, which has started nothing.
    init(
        _ options: Options, _ configuration: NetworkQueue.Configuration, _ transport: any Transport,
        _ decoration: RequestDecoration
    ) async throws(UsageError) {
        var configuration = configuration
        configuration.showsAccurateProgress = false
        configuration.requiresSpace = false
        var lists: [ByteText: (content: Data, url: URL)] = [:]
        for value in options.remoteLists where lists[ByteText(value)] == nil {
            let isOfURLs = options.lists.contains { $0.equals(bytesOf: value) }
            let sink = ListSink()
            guard let url = URLText.url(value) else { throw UsageError(URLText.complaint(value)) }
            var request = NetworkRequest(url)
            request.destination = .sink(sink)
            request.validation = .contentStatus
            request.acceptsCompressed = true
            // The time of the run begins when its lists are there.
            request.totalTimeout = options.stopAfter
            request.tag = URLText.shown(url)
            decoration.decorate(&request)
            // The error of the program tells why a list could not be fetched.
            let output = CommandOutput(Options(), display: SilentDisplay(isMute: true))
            let report = await Job(
                items: ItemFeed([request]), configuration: configuration,
                transport: transport, output: output,
                interruption: Interruption(), decoration: decoration
            ).run()
            let name = "the \(isOfURLs ? "list" : "checksum list") “\(URLText.shown(url))”"
            if let failure = report.failures.first {
                throw UsageError("\(name) cannot be fetched: \(failure.reason)", code: .failure)
            }
            let (content, place) = sink.result
            guard let place else { throw UsageError("\(name) cannot be fetched", code: .failure) }
            if content.isUTF16 { throw UsageError("\(name) \(UsageError.isUTF16)", code: .failure) }
            // Each of its lines would be a relative URL.
            if isOfURLs, content.firstVisible == UInt8(ascii: "<") {
                throw UsageError("\(name) is a web page, not a list", code: .failure)
            }
            lists[ByteText(value)] = (content, place)
        }
        self.lists = lists
    }

    /// The content of a list that is a file or was sent by a server, with its name for messages and its URL after
    /// redirects, without user name and password, if it has one.
    ///
    /// - Parameter use: The use of a file, for the error if it cannot be read.
    func read(_ value: String, for use: String) throws(UsageError) -> (content: Data, name: String, url: URL?) {
        if let list = lists[ByteText(value)] { return (list.content, URLText.shown(value), list.url) }
        return (try POSIXFile.readText(value, for: use), value, nil)
    }
}

/// Keeps the content of a list.
private final class ListSink: DownloadSink {
    private let state = Locked<(content: Data, url: URL?)>((Data(), nil))

    /// The content, and the URL that has sent it.
    var result: (content: Data, url: URL?) { state.withLock { $0 } }

    func begin(_ head: ResponseHead) {
        state.withLock { $0 = (Data(), head.url) }
    }

    func write(_ chunk: Data) throws(NetworkError) {
        let fits = state.withLock { state in
            state.content += chunk
            return state.content.count <= RemoteLists.largest
        }
        if !fits { throw NetworkError(.responseTooLarge) }
    }
}

extension Options {
    /// The values of `--input` and `--checksums` that are URLs.
    var remoteLists: [String] { (lists + checksumLists).filter(URLText.isWebAddress) }

    /// Whether `-u`, `-H` and `--cert` are kept from servers that the user has not named, because a list of another
    /// server might name them.
    var withholdsSecrets: Bool { !trustsLists && !remoteLists.isEmpty }
}

extension Collection<UInt8> {
    /// The first byte that is neither white space nor part of a byte order mark.
    var firstVisible: UInt8? {
        dropFirst(starts(with: "\u{FEFF}".utf8) ? 3 : 0).first { !$0.isSpace && $0 != UInt8(ascii: "\n") }
    }
}
