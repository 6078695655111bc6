import Testing

/// What FoundationNetworking 6.3 on Linux makes impossible for `URLSessionTransport`, each with its reason.
///
/// The table of the suite's exceptions: tests consult it through ``TransportKind/has(_:)``. `CurlTransport` has no
/// exception. Apple's `URLSession` shares some.
enum KnownLimitation: String, CaseIterable {
    case endsTheProcess = "the process ends on some malformed or unusual responses; use CurlTransport"

    // MARK: Requests

    case losesRequestHeaderOrder = "URLRequest keeps its fields in a dictionary"
    case joinsRequestHeaders = "URLRequest joins fields of the same name with a comma"
    case refusesBodyOfGET = "a GET with a body fails with dataLengthExceedsMaximum (HTTPURLProtocol)"
    case inventsContentType = "a POST without a Content-Type gets application/x-www-form-urlencoded (HTTPURLProtocol)"
    case ignoresProxySetting = "connectionProxyDictionary is not read on Linux; the environment is, by libcurl"

    // MARK: Responses

    case losesResponseHeaderOrder = "HTTPURLResponse keeps its fields in a dictionary"
    case joinsResponseHeaders = "HTTPURLResponse joins fields of the same name; if spelled differently, one survives"
    case refusesTightHeaders = "a field without a space behind its colon fails the request (HTTPMessage)"
    case refusesLatin1Headers = "a field that is not UTF-8 fails the request (HTTPMessage)"
    case refusesEmptyReason = "a status line without a reason phrase fails the request (HTTPMessage)"
    case readsNamesWithSpace = "a field with white space before its colon is read as if there were none, or not at all"
    case acceptsIncompleteTLSClose = "libcurl takes the end of a TLS connection without an alert for its proper end"
    case decodesContent = "libcurl is told to decode every Content-Encoding, whether or not it was asked for"
    case dropsBodyOfRedirect = "the body of a 3xx whose Location is missing or no URL is not delivered"

    // MARK: Connections

    case refusesIPv6Literals = "the check that libcurl reads the same host from a URL fails for them (EasyHandle)"
    case trustsSystemAuthoritiesAlone = "URLSession has no setting for authorities of one's own"
    case resendsLess = "a connection is kept only after the completion is told, and a POST hangs if its one is lost"
    case speaksOldTLS = "tlsMinimumSupportedProtocolVersion is not there on Linux; libcurl's default is TLS 1.0"
    case ignoresConnectTimeout = "URLSession does not tell when a connection stands; the idle timeout covers connecting"

    /// Why, as a comment for the testing library.
    var reason: Comment { Comment(rawValue: rawValue) }

    /// Those of Apple's `URLSession`, too.
    static let onApple: Set<KnownLimitation> = [
        .losesRequestHeaderOrder, .joinsRequestHeaders, .refusesBodyOfGET, .losesResponseHeaderOrder,
        .joinsResponseHeaders, .decodesContent, .ignoresConnectTimeout, .trustsSystemAuthoritiesAlone,
    ]
}

extension TransportKind {
    /// Whether the transport has the limitation on this system.
    func has(_ limitation: KnownLimitation) -> Bool {
        #if canImport(FoundationNetworking)
            self == .urlSession
        #else
            self == .urlSession && KnownLimitation.onApple.contains(limitation)
        #endif
    }

    /// Runs expectations that fail where the transport has the limitation, and reports a limitation that is gone.
    ///
    /// - Parameter sometimes: Whether the expectations may hold by chance.
    func expect(
        unless limitation: KnownLimitation, sometimes: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) rethrows {
        guard has(limitation) else { return try body() }
        withKnownIssue(limitation.reason, isIntermittent: sometimes, sourceLocation: sourceLocation) { try body() }
    }
}
