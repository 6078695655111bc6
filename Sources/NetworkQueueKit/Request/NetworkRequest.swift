import Foundation

/// What to do: a request, where its response goes, and what is known beforehand.
///
/// A value that can be run any number of times, each time by a ``RequestOperation`` of its own.
public struct NetworkRequest: Sendable {
    /// The order among waiting requests; within one priority the queue's mode decides.
    public typealias Priority = RequestPriority

    /// What is asked for: an absolute `http` or `https` URL. User information in it is a credential, and is not sent as
    /// part of it.
    ///
    /// Text from a user or a file becomes a URL with ``Foundation/URL/init(webAddress:)``, which keeps what is
    /// percent-encoded.
    public var url: URL {
        get { hiddenURL.value }
        set { hiddenURL.value = newValue }
    }
    private var hiddenURL: Secret<URL>
    /// The method, in upper case unless it is your own. Where none has been set: `POST` with a `body`, else `GET`.
    public var method: String {
        get { sizeProbe?.method ?? ownMethod ?? (body == nil ? "GET" : "POST") }
        set { ownMethod = newValue }
    }
    private(set) var ownMethod: String?
    /// The header fields, sent in this order. `Content-Length` and `Transfer-Encoding` follow from the content; those
    /// here are left out. A line break or a NUL in one of them fails the request with `.malformedRequest`. Over libcurl
    /// an `Accept` field with an empty value has none sent: without one of its own a request says that it takes
    /// everything (`*/*`).
    public var headers: HTTPHeaders
    /// The longest silence from the server; `nil`, the default, means the transport's. Not positive means no limit.
    public var idleTimeout: Duration?
    /// The longest time from the first start to the end, retries and waits between them included; then the request
    /// fails with `.timedOut`. `nil`, the default, and what is not positive mean no limit.
    public var totalTimeout: Duration?
    /// The content to send; `nil`, the default, means that of the `URLRequest` that the request was made from, if any.
    public var body: RequestBody?
    /// Where the content of the response goes. Default `.memory`.
    public var destination: Destination
    /// The order among waiting requests. Default `.normal`.
    public var priority: Priority = .normal
    /// The size of the download in bytes, as it is stored, if the caller knows it: no HEAD is sent for it. Default
    /// `nil`.
    ///
    /// A success whose content has another size fails with `.contentMismatch`, a ``ContentMismatch`` beneath, and
    /// nothing of the content is kept. The response to a HEAD, a 304 and the response to a `Range` of the caller's own
    /// are not checked. Use ``estimatedDownloadSize`` for a size that may be wrong.
    public var expectedDownloadSize: Int64?
    /// The size of the download in bytes as the caller guesses it, for progress alone. Default `nil`.
    ///
    /// It counts until a HEAD or the response tells the size.
    public var estimatedDownloadSize: Int64?
    /// The checksum that the content must have; otherwise the request fails with `.contentMismatch`, a
    /// ``ContentMismatch`` beneath, and nothing of the content is kept. Default `nil`. It does not cause a retry.
    ///
    /// Computed while the content comes in, after any decoding, whatever the destination; for a download that goes on
    /// behind an earlier part, the file is read once more at the end. A 304 and the response to a HEAD are not checked.
    /// A checksum of the wrong length, or with other characters than hexadecimal digits, fails the request before
    /// anything is sent.
    public var expectedChecksum: Checksum? {
        get { extras.value.expectedChecksum }
        set { extras.value.expectedChecksum = newValue }
    }
    /// Whether the server may compress the content with gzip or deflate (`Accept-Encoding`); it is decoded while it
    /// comes in. Default `false`.
    ///
    /// Progress counts the bytes on the wire (with `URLSessionTransport`, which decodes by itself, those after it). A
    /// damaged or truncated stream fails the request with `.badServerResponse`. Such a download is never resumed. The
    /// head keeps its `Content-Encoding`. An `Accept-Encoding` of the request's own is sent in place of it.
    ///
    /// With `false`, and where the system has no zlib, `Accept-Encoding: identity` is sent, unless the request has a
    /// field of its own. A server that uses gzip or deflate all the same is accepted: content to `.memory` is decoded,
    /// up to ``maxDecodedSize``; to a file or a sink it goes as it was sent, since that may be an archive with a known
    /// checksum. So does content with any other coding, a part (206), and, whatever the destination, content with a
    /// coding when the request has an `Accept-Encoding` of its own. With a transport that decodes by itself
    /// (``Transport/decodesContent``, as `URLSessionTransport` does) files and sinks get decoded content, too.
    public var acceptsCompressed: Bool = false
    /// The most bytes that compressed content may have when it is decoded; beyond, the request fails with
    /// `.responseTooLarge`. Default 1 GiB. Content that comes uncompressed, or is not to be decoded, has no such limit.
    public var maxDecodedSize: Int64 = 1 << 30
    /// Whether a file gets the name that the response suggests by `Content-Disposition` (RFC 6266), in place of its
    /// destination's last part. Default `false`.
    ///
    /// The name is harmless as ``ResponseHead/suggestedFileName`` is, and the file stays in the destination's folder.
    /// Where the response suggests none, the destination is as it says. The policy for conflicts is about the name that
    /// the file gets: what has that name is found when the response is there, or before, where a HEAD has told the
    /// name. A part has the destination's own name, so that it is found again; two requests that run at the same time
    /// should differ in that.
    public var usesSuggestedFileName: Bool = false
    /// Whether the destination's name ends in a number that its author has put there to keep two files apart: `.rename`
    /// then counts on from that, to `x-3` from `x-2` and not to `x-2-2`. Default `false`: most numbers in names are a
    /// part of them.
    package var hasNumberedFileName: Bool = false
    /// Which responses count as a success; `nil`, the default, means the queue's rule.
    public var validation: ResponseValidation? {
        get { extras.value.validation }
        set { extras.value.validation = newValue }
    }
    /// Which failures are worth another attempt; `nil`, the default, means the queue's policy.
    public var retryPolicy: RetryPolicy? {
        get { extras.value.retryPolicy }
        set { extras.value.retryPolicy = newValue }
    }
    /// Decides about retries in place of the policy; `nil`, the default, means the queue's decider, if it has one.
    public var retryDecider: (any RetryDecider)? {
        get { extras.value.retryDecider.value }
        set { extras.value.retryDecider.value = newValue }
    }
    /// What changes the request before each attempt, in this order and after the queue's adapters. Default none.
    public var adapters: [any RequestAdapter] {
        get { extras.value.adapters.value }
        set { extras.value.adapters.value = newValue }
    }
    /// What works on the content of the response, in this order and after the queue's processors. Default none.
    public var processors: [any ResponseProcessor] {
        get { extras.value.processors.value }
        set { extras.value.processors.value = newValue }
    }
    /// Name and password, sent unasked in the Basic scheme (RFC 7617), and in the Digest scheme (RFC 7616) when the
    /// server asks for that. Never sent to another origin. Default `nil`; a name and a password in the URL do the same.
    public var credential: URLCredential? {
        get { extras.value.credential.value }
        set { extras.value.credential.value = newValue }
    }
    /// Whether the credential is sent before a server asks for it. Default `true`.
    ///
    /// With `false` the first request to a protection space is sent without it, and again with it when the server asks,
    /// content included; later ones of the queue send it at once, in the scheme that was asked for.
    public var sendsCredentialUnasked: Bool {
        get { extras.value.sendsCredentialUnasked }
        set { extras.value.sendsCredentialUnasked = newValue }
    }
    /// What names the content of the response where the URL does not, as with signed links: a part of an earlier download
    /// is found by it, with whatever URL. Default `nil`: by the URL. What the part is continued by is for its validators
    /// to decide all the same.
    public var resumeKey: String? {
        get { extras.value.resumeKey }
        set { extras.value.resumeKey = newValue }
    }

    /// Whether several exchanges may fetch the download at a time, and how many; `nil`, the default, means the queue's
    /// rule. `Splitting(maxParts: 1)` means one, whatever the queue's says.
    public var splitting: Splitting? {
        get { extras.value.splitting }
        set { extras.value.splitting = newValue }
    }

    /// Other URLs of the same content, which are tried in this order. Default none.
    ///
    /// When a URL has failed for good, or after its retries, the next one is tried at once, within the same operation: it
    /// gives its slot back as for a retry, and counts for the host of that URL from then on. Each URL has retries of its
    /// own; with another one left, an origin that is out of reach is not waited for (``RetryPolicy/outageTolerance``), and
    /// such failures count as all others. What moves on is a failure that is about the server: no connection, TLS, a timeout, a status or a content
    /// that is not accepted, a redirect too many. What the caller's side has caused does not: a cancellation,
    /// ``totalTimeout``, which counts for all URLs together, a file that cannot be written, a hook that throws
    /// `.adapting` or `.processing`, and ``RetryDecision/fail``. Nor does a failure of a ``DownloadSink`` that has begun
    /// and cannot start over.
    ///
    /// Used for GET and HEAD without content; other requests may have had an effect, and fail.
    ///
    /// What there is of a file goes on at another URL only with an ``expectedChecksum``, which then decides alone, since
    /// entity tags of different servers cannot be compared: a content that does not have it is fetched once more from the
    /// beginning. Without one the file starts over.
    ///
    /// `Authorization`, `Cookie`, `Proxy-Authorization` and `Host` among the ``headers``, the queue's included, go to a
    /// mirror only if it has the scheme, host and port of ``url``; so do the ``credential`` and what a
    /// ``RequestAuthenticator`` adds. User and password in the URL of a mirror are for that mirror. Adapters are asked for
    /// each attempt, and see the mirror's URL.
    ///
    /// ``RequestOperation/mirror`` tells which one is tried, and ``ResponseHead/url`` of the response which URL has served
    /// it. If all have failed, the error is that of the last, with the others in ``NetworkError/formerFailures``. Sizes
    /// are asked for at ``url`` alone.
    public var mirrors: [URL] {
        get { extras.value.mirrors.value }
        set { extras.value.mirrors.value = newValue }
    }

    /// The caller's own name for the request; the library only carries it. Default `nil`.
    public var tag: String? {
        get { extras.value.tag }
        set { extras.value.tag = newValue }
    }

    /// The caller's own values for the request; the library only carries them. Default none.
    public var userInfo: [String: any Sendable] {
        get { extras.value.userInfo.value }
        set { extras.value.userInfo.value = newValue }
    }

    /// What the library's own request for a size differs in from the user's.
    var sizeProbe: SizeProbe?

    /// What Foundation's request says beyond URL, method, fields and timeout: content, and on which networks it may go.
    var foundation: URLRequest? {
        get { extras.value.foundation.value }
        set { extras.value.foundation.value = newValue }
    }

    /// What most requests have nothing of. A request is copied a dozen times on its way, and all of this is one
    /// reference.
    private var extras = Self.noExtras
    private static let noExtras = CopyOnWrite(Extras())

    private struct Extras: Sendable {
        var expectedChecksum: Checksum?
        var validation: ResponseValidation?
        var retryPolicy: RetryPolicy?
        var retryDecider = Secret<(any RetryDecider)?>(nil)
        var adapters = Secret<[any RequestAdapter]>([])
        var processors = Secret<[any ResponseProcessor]>([])
        var credential = Secret<URLCredential?>(nil)
        var sendsCredentialUnasked = true
        var resumeKey: String?
        var splitting: Splitting?
        var mirrors = Secret<[URL]>([])
        var tag: String?
        var userInfo = Secret<[String: any Sendable]>([:])
        var foundation = Secret<URLRequest?>(nil)
    }

    /// The host in lower case.
    var host: String? { url.host()?.lowercased() }

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: an absolute `http` or `https` URL.
    ///   - method: `nil`, the default, means `POST` with a body and `GET` without one.
    ///   - headers: the header fields. Default none.
    ///   - query: put behind the query that `url` has, in this order, with every character encoded that could be taken
    ///     for something else. Default none.
    ///   - body: the content to send.
    ///   - destination: where the content of the response goes.
    ///   - expectedChecksum: see the property of that name. Default `nil`.
    ///   - tag: the caller's own name for the request. Default `nil`.
    public init(
        _ url: URL, method: String? = nil, headers: HTTPHeaders = [:], query: [URLQueryItem] = [],
        body: RequestBody? = nil, destination: Destination = .memory, expectedChecksum: Checksum? = nil,
        tag: String? = nil
    ) {
        hiddenURL = Secret(query.isEmpty ? url : url.withQuery(query))
        self.headers = headers
        ownMethod = method
        self.body = body
        self.destination = destination
        // Most requests have neither, and share the rest of what is rare.
        if let expectedChecksum { self.expectedChecksum = expectedChecksum }
        if let tag { self.tag = tag }
    }

    /// Creates a request from Foundation's, with all that it says.
    public init(_ urlRequest: URLRequest) {
        self.init(urlRequest.url ?? Self.noURL)
        takeMethod(of: urlRequest)
        takeOver(urlRequest, timeoutInterval: nil)
        for (name, value) in (urlRequest.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            headers.append(name: name, value: value)
        }
    }

    /// Takes the method that Foundation's request has; its `GET` may mean that none has been set.
    mutating func takeMethod(of urlRequest: URLRequest) {
        let method = urlRequest.httpMethod ?? "GET"
        ownMethod = method == "GET" && urlRequest.httpBody == nil && urlRequest.httpBodyStream == nil ? nil : method
    }
}

/// What makes a request one that asks for a size only.
///
/// It is put on top of the user's request when that becomes an exchange, or before, where an adapter may look at it.
enum SizeProbe: Sendable {
    /// A HEAD.
    case head
    /// A GET for the first byte.
    case firstByte
    /// One of them whose method and fields are in the request already.
    case visible

    /// The method that takes the place of the request's own; `nil` leaves that.
    var method: String? {
        switch self {
        case .head: "HEAD"
        case .firstByte: "GET"
        case .visible: nil
        }
    }

    /// The fields that take the place of the request's own.
    var fields: [(name: String, value: String)] {
        // The length of a coded content is not that of the file.
        switch self {
        case .head: [("Accept-Encoding", "identity")]
        case .firstByte: [("Accept-Encoding", "identity"), ("Range", "bytes=0-0")]
        case .visible: []
        }
    }
}

extension NetworkRequest {
    /// Whether it asks for a size only.
    var isSizeProbe: Bool { sizeProbe != nil }

    /// The same request with a method and header fields that show what is to be sent.
    var withVisibleProbe: NetworkRequest {
        guard let sizeProbe, let method = sizeProbe.method else { return self }
        var visible = self
        visible.sizeProbe = .visible
        visible.method = method
        for (name, value) in sizeProbe.fields { visible.headers.set(value, for: name) }
        return visible
    }
}

/// Texts without name and password of the URL, header fields and credential.
extension NetworkRequest: CustomStringConvertible {
    /// Method and URL, such as `GET https://example.com/file`.
    public var description: String {
        "\(method) \(lacksURL ? "no URL" : url.printable)"
    }
}
