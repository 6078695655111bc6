import Foundation

/// A description of a request: what to send, where the response goes, and what is known in advance.
///
/// A value that can be run any number of times, each time by a new ``RequestOperation``.
public struct NetworkRequest: Sendable {
    /// The priority among waiting requests; at equal priority, the queue's mode decides.
    public typealias Priority = RequestPriority

    /// The absolute `http` or `https` URL to request. User information in it is used as a credential and not sent as
    /// part of the URL.
    ///
    /// Create it from text with ``Foundation/URL/init(webAddress:)``, which does not encode percent-encoded characters
    /// again.
    public var url: URL {
        get { fields.value.url.value }
        set { fields.value.url.value = newValue }
    }
    /// The method. Default: `POST` with a `body`, otherwise `GET`. Standard methods are in upper case.
    public var method: String {
        get { sizeProbe?.method ?? ownMethod ?? (body == nil ? "GET" : "POST") }
        set { ownMethod = newValue }
    }
    private(set) var ownMethod: String? {
        get { fields.value.ownMethod }
        set { fields.value.ownMethod = newValue }
    }
    /// The header fields, sent in this order.
    ///
    /// `Content-Length` and `Transfer-Encoding` are derived from the content; fields with these names are ignored. A
    /// line break or a NUL in a field fails the request with `.malformedRequest`. Without an `Accept` field,
    /// `*/*` is sent. ``HTTPHeaders/suppress(_:)`` prevents this and other fields that the library adds.
    public var headers: HTTPHeaders {
        get { fields.value.headers }
        _modify { yield &fields.value.headers }
    }
    /// The longest time without data from the server. Default `nil`: the transport's timeout. Zero and negative values
    /// mean no limit.
    public var idleTimeout: Duration? {
        get { fields.value.idleTimeout }
        set { fields.value.idleTimeout = newValue }
    }
    /// The longest time from the first start to the end, including retries and the waits between them. When it expires,
    /// the request fails with `.timedOut`. Default `nil`: no limit, as with zero and negative values.
    public var totalTimeout: Duration? {
        get { fields.value.totalTimeout }
        set { fields.value.totalTimeout = newValue }
    }
    /// The content to send. Default `nil`: the content of the `URLRequest` that the request was created from, if any.
    public var body: RequestBody? {
        get { fields.value.body }
        set { fields.value.body = newValue }
    }
    /// The place where the content of the response goes. Default `.memory`.
    public var destination: Destination {
        get { fields.value.destination }
        set { fields.value.destination = newValue }
    }
    /// The priority among waiting requests. Default `.normal`.
    public var priority: Priority {
        get { fields.value.priority }
        set { fields.value.priority = newValue }
    }
    /// The size of the content as it is stored, in bytes, if the caller knows it. Default `nil`.
    ///
    /// With it, no sizing HEAD is sent, and a successful response whose content has a different size fails with
    /// `.contentMismatch`, with a ``ContentMismatch`` as `underlying`; none of the content is kept. Responses to HEAD,
    /// 304 responses and responses to a `Range` field of the caller's own are not checked. Use
    /// ``estimatedDownloadSize`` for a size that may be wrong.
    public var expectedDownloadSize: Int64? {
        get { fields.value.expectedDownloadSize }
        set { fields.value.expectedDownloadSize = newValue }
    }
    /// The estimated size of the download in bytes, used only for progress. Default `nil`.
    ///
    /// It is used until a HEAD or the response provides the actual size.
    public var estimatedDownloadSize: Int64? {
        get { fields.value.estimatedDownloadSize }
        set { fields.value.estimatedDownloadSize = newValue }
    }
    /// The checksum that the content must have. Default `nil`.
    ///
    /// If the content has a different one, the request fails with `.contentMismatch`, with a ``ContentMismatch`` as
    /// `underlying`; none of the content is kept. A GET requests the content once more before it fails, past every
    /// cache.
    ///
    /// The checksum is computed after decoding while the content arrives, whatever the destination; after a resume the
    /// file is read again at the end. Responses to HEAD and 304 responses are not checked. A checksum with the wrong
    /// length or with characters other than hexadecimal digits fails the request before anything is sent.
    public var expectedChecksum: Checksum? {
        get { extras.value.expectedChecksum }
        set { extras.value.expectedChecksum = newValue }
    }
    /// Whether to accept gzip and deflate (`Accept-Encoding`). The content is decoded while it arrives. Default
    /// `false`.
    ///
    /// Progress counts the bytes on the wire; with `URLSessionTransport`, which decodes by itself, it counts decoded
    /// bytes. A damaged or truncated stream fails the request with `.badServerResponse`. Such a download is never
    /// resumed. The head keeps its `Content-Encoding`. An `Accept-Encoding` field of the request's own takes
    /// precedence.
    ///
    /// If this is `false`, or the system has no zlib, `Accept-Encoding: identity` is sent, unless the request has such
    /// a field of its own. If the server uses gzip or deflate anyway, content for `.memory` is decoded, up to
    /// ``maxDecodedSize``. Content for a file or a sink is stored as sent, since it may be an archive with a known
    /// checksum. Content is never decoded if it has another coding, is a part (206), or answers a request with an
    /// `Accept-Encoding` field of its own. With a transport that decodes by itself (``Transport/decodesContent``, such
    /// as `URLSessionTransport`), files and sinks receive decoded content, too.
    public var acceptsCompressed: Bool {
        get { fields.value.acceptsCompressed }
        set { fields.value.acceptsCompressed = newValue }
    }
    /// The maximum size of decoded content, in bytes; larger content fails the request with `.responseTooLarge`.
    /// Default 1 GiB. The limit does not apply to content that is not decoded.
    public var maxDecodedSize: Int64 {
        get { fields.value.maxDecodedSize }
        set { fields.value.maxDecodedSize = newValue }
    }
    /// Whether a file gets the name that the response suggests in `Content-Disposition` (RFC 6266) instead of the
    /// destination's last path component. Default `false`.
    ///
    /// The name is sanitized as in ``ResponseHead/suggestedFileName``, and the file stays in the destination's folder.
    /// If the response suggests no name, the destination's name is used. The conflict policy applies to the final name;
    /// a conflict is detected when the response arrives, or with `.keepIfCurrent` earlier if a HEAD has provided the
    /// name. A partial file uses the destination's own name, so that a resume can find it; give concurrent requests
    /// different destinations.
    public var usesSuggestedFileName: Bool {
        get { fields.value.usesSuggestedFileName }
        set { fields.value.usesSuggestedFileName = newValue }
    }
    /// Whether the destination's name ends in a number that was added to make it unique. `.rename` then increments that
    /// number: after `x-2` it tries `x-3`, not `x-2-2`. Default `false`, since most numbers belong to the name.
    package var hasNumberedFileName: Bool {
        get { fields.value.hasNumberedFileName }
        set { fields.value.hasNumberedFileName = newValue }
    }
    /// Whether `.keepIfCurrent` keeps an existing file without a request, whatever the server has; a file with an
    /// expected checksum must match it. Default `false`.
    package var keepsFileUnasked: Bool {
        get { fields.value.keepsFileUnasked }
        set { fields.value.keepsFileUnasked = newValue }
    }

    /// Whether the request was made from a record. Its file may have been finished after the record was made.
    var isRestored: Bool {
        get { fields.value.isRestored }
        set { fields.value.isRestored = newValue }
    }

    /// The request that keeps a finished file instead of failing because of it, if the file is this download's.
    var keepingFinishedFile: NetworkRequest {
        guard isRestored, case .file(let url, onConflict: .fail, let resumes) = destination else { return self }
        var request = self
        request.destination = .file(url, onConflict: .keepIfCurrent(otherwise: .fail), resumes: resumes)
        return request
    }
    /// The rule for which responses count as a success. Default `nil`: the queue's rule.
    public var validation: ResponseValidation? {
        get { extras.value.validation }
        set { extras.value.validation = newValue }
    }
    /// The rule for which failures are retried. Default `nil`: the queue's policy.
    public var retryPolicy: RetryPolicy? {
        get { extras.value.retryPolicy }
        set { extras.value.retryPolicy = newValue }
    }
    /// Decides about retries in place of the policy. Default `nil`: the queue's decider, if any.
    public var retryDecider: (any RetryDecider)? {
        get { extras.value.retryDecider.value }
        set { extras.value.retryDecider.value = newValue }
    }
    /// The adapters that change the request before each attempt, run in this order after the queue's adapters. Default:
    /// none.
    public var adapters: [any RequestAdapter] {
        get { extras.value.adapters.value }
        set { extras.value.adapters.value = newValue }
    }
    /// The processors for an accepted response, run in this order after the queue's processors. Default: none.
    public var processors: [any ResponseProcessor] {
        get { extras.value.processors.value }
        set { extras.value.processors.value = newValue }
    }
    /// The user name and password. Default `nil`; user information in the URL has the same effect.
    ///
    /// They are sent preemptively with Basic authentication (RFC 7617), or with Digest (RFC 7616) after the server has
    /// asked for that. They are never sent to another origin.
    public var credential: URLCredential? {
        get { extras.value.credential.value }
        set { extras.value.credential.value = newValue }
    }
    /// Whether the credential is sent before a server asks for it. Default `true`.
    ///
    /// If `false`, the first request to a protection space is sent without the credential, and again with it, including
    /// the content, when the server asks. Later requests of the queue send it at once, in the scheme that the server
    /// asked for.
    public var sendsCredentialUnasked: Bool {
        get { extras.value.sendsCredentialUnasked }
        set { extras.value.sendsCredentialUnasked = newValue }
    }
    /// A name for the content, for URLs that change while the content does not, such as signed links. Default `nil`:
    /// the URL identifies the content.
    ///
    /// A partial download with the same key is found whatever its URL was. Its validators still decide whether it is
    /// continued.
    public var resumeKey: String? {
        get { extras.value.resumeKey }
        set { extras.value.resumeKey = newValue }
    }

    /// The rule for downloading with several concurrent exchanges. Default `nil`: the queue's rule.
    /// `Splitting(maxParts: 1)` disables splitting for this request.
    public var splitting: Splitting? {
        get { extras.value.splitting }
        set { extras.value.splitting = newValue }
    }

    /// Alternative URLs of the same content, tried in this order. Default: none.
    ///
    /// When a URL has failed and is not retried any more, the next one is tried at once, within the same operation. The
    /// operation gives its slot back, as for a retry, and counts toward the new URL's host from then on. Each URL has
    /// its own retries. While another URL is left, unreachable origins are not waited for
    /// (``RetryPolicy/outageTolerance``): these failures count as all others.
    ///
    /// Only failures that concern the server lead to the next URL: no connection, TLS, a timeout, a rejected status or
    /// content, or too many redirects. These end the request: a cancellation, ``totalTimeout`` (which covers all URLs
    /// together), a file that cannot be written, a hook that throws `.adapting` or `.processing`,
    /// ``RetryDecision/fail``, and any failure if a ``DownloadSink`` cannot start over.
    ///
    /// Mirrors are used only for GET and HEAD requests without content; other requests may have had an effect, and
    /// fail.
    ///
    /// A partial file is continued at another URL only with an ``expectedChecksum``, since entity tags of different
    /// servers cannot be compared; otherwise the file starts over. The checksum alone decides in that case: if it does
    /// not match, the content is fetched once more from the beginning.
    ///
    /// `Authorization`, `Cookie`, `Proxy-Authorization` and `Host` fields, including those of the queue, are sent to a
    /// mirror only if it has the scheme, host and port of ``url``. The same applies to the ``credential`` and to
    /// anything a ``RequestAuthenticator`` adds. User name and password in a mirror's URL are used for that mirror.
    /// Adapters run for each attempt and see the mirror's URL.
    ///
    /// ``RequestOperation/mirror`` is the mirror being tried; ``ResponseHead/url`` is the URL that served the response.
    /// If all URLs have failed, the error is that of the last one, and ``NetworkError/formerFailures`` has the others.
    /// Sizing requests are sent to ``url`` only.
    public var mirrors: [URL] {
        get { extras.value.mirrors.value }
        set { extras.value.mirrors.value = newValue }
    }

    /// The stage of the request in a ``NetworkQueue``, in which nothing of a stage starts before all requests of lower
    /// stages have ended. Any number, also a negative one; default 0.
    ///
    /// If a request of a lower stage fails or is canceled, the request fails with
    /// ``NetworkError/Code/earlierStageFailed`` and sends nothing. See <doc:QueuesLimitsAndPriorities>.
    ///
    /// A ``RequestQueue`` has no stages: there, a stage other than 0 fails the request with
    /// `.unsupportedConfiguration`. For an operation in no queue of this library, the stage has no effect.
    public var stage: Int {
        get { extras.value.stage }
        set { extras.value.stage = newValue }
    }

    /// The name of the request's group in a ``NetworkQueue``, which has a progress of its own: 1 to 255 bytes; `nil`, the
    /// default, for none. Names are compared as bytes.
    ///
    /// A name of another length fails the request with `.unsupportedConfiguration`. Elsewhere the name has no effect.
    public var group: String? {
        get { extras.value.group }
        set { extras.value.group = newValue }
    }

    /// The storage of ``freshURL`` and ``freshURLStatusCodes``.
    var freshLink: FreshLink {
        get { extras.value.freshLink }
        _modify { yield &extras.value.freshLink }
    }
    /// Whether ``freshURL`` is set.
    var hasFreshURL: Bool { extras.value.freshLink.closure.value != nil }

    /// A name for the caller's use, which the library does not interpret. Default `nil`.
    public var tag: String? {
        get { extras.value.tag }
        set { extras.value.tag = newValue }
    }

    /// Values for the caller's use, which the library does not interpret. Default: none.
    public var userInfo: [String: any Sendable] {
        get { extras.value.userInfo.value }
        set { extras.value.userInfo.value = newValue }
    }

    /// Set on the library's own sizing requests: the kind of probe.
    var sizeProbe: SizeProbe? {
        get { fields.value.sizeProbe }
        set { fields.value.sizeProbe = newValue }
    }

    /// The Foundation request, if it specifies more than URL, method, header fields and timeout, such as content and
    /// network access rules.
    var foundation: URLRequest? {
        get { extras.value.foundation.value }
        set { extras.value.foundation.value = newValue }
    }

    /// What copies share until one of them changes: a request is copied a dozen times on its way.
    private struct Fields: Sendable {
        var url: Secret<URL>
        var ownMethod: String?
        var headers: HTTPHeaders
        var body: RequestBody?
        var destination: Destination
        var idleTimeout: Duration?
        var totalTimeout: Duration?
        var expectedDownloadSize: Int64?
        var estimatedDownloadSize: Int64?
        var maxDecodedSize: Int64 = 1 << 30
        var priority = Priority.normal
        var acceptsCompressed = false
        var usesSuggestedFileName = false
        var hasNumberedFileName = false
        var keepsFileUnasked = false
        var isRestored = false
        var sizeProbe: SizeProbe?
        var extras = NetworkRequest.noExtras
    }

    private var fields: CopyOnWrite<Fields>

    /// What few requests have.
    var extras: CopyOnWrite<Extras> {
        get { fields.value.extras }
        _modify { yield &fields.value.extras }
    }
    private static let noExtras = CopyOnWrite(Extras())

    /// The host of the URL, in lower case.
    var host: String? { url.host()?.lowercased() }

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: an absolute `http` or `https` URL.
    ///   - method: the method. Default `nil`: `POST` with a body, otherwise `GET`.
    ///   - headers: the header fields. Default: none.
    ///   - query: items appended to the query of `url` in this order. Characters with a special meaning are
    ///     percent-encoded. Default: none.
    ///   - body: the content to send. Default `nil`.
    ///   - destination: the place where the content of the response goes. Default `.memory`.
    ///   - expectedChecksum: see ``expectedChecksum``. Default `nil`.
    ///   - tag: see ``tag``. Default `nil`.
    public init(
        _ url: URL, method: String? = nil, headers: HTTPHeaders = [:], query: [URLQueryItem] = [],
        body: RequestBody? = nil, destination: Destination = .memory, expectedChecksum: Checksum? = nil,
        tag: String? = nil
    ) {
        fields = CopyOnWrite(
            Fields(
                url: Secret(query.isEmpty ? url : url.withQuery(query)), ownMethod: method, headers: headers,
                body: body, destination: destination))
        // Without these two values a request keeps sharing `noExtras`.
        if let expectedChecksum { self.expectedChecksum = expectedChecksum }
        if let tag { self.tag = tag }
    }

    /// Creates a request from Foundation's type, with everything that it specifies.
    public init(_ urlRequest: URLRequest) {
        self.init(urlRequest.url ?? Self.noURL)
        takeMethod(of: urlRequest)
        takeOver(urlRequest, timeoutInterval: nil)
        for (name, value) in (urlRequest.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            headers.append(name: name, value: value)
        }
    }

    /// Applies the method of a Foundation request. Its `GET` may also mean that no method was set.
    mutating func takeMethod(of urlRequest: URLRequest) {
        let method = urlRequest.httpMethod ?? "GET"
        ownMethod = method == "GET" && urlRequest.httpBody == nil && urlRequest.httpBodyStream == nil ? nil : method
    }
}

/// Descriptions leave out the URL's user name and password, the header fields and the credential.
extension NetworkRequest: CustomStringConvertible {
    /// The method and the URL, such as `GET https://example.com/file`.
    public var description: String {
        "\(method) \(lacksURL ? "no URL" : url.printable)"
    }
}
