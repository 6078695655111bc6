import Foundation

/// The reason why a request failed.
public struct NetworkError: Error, Sendable {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The operation was canceled, by you or by its queue.
        case cancelled
        /// A timeout expired: for connecting, for silence from the server, or for the whole exchange or request.
        case timedOut
        /// The name of the host, or of the proxy, could not be resolved.
        case cannotFindHost
        /// The host, or the proxy, refused the connection or could not be reached.
        case cannotConnectToHost
        /// The connection was lost, or closed before the response was complete.
        case connectionLost
        /// No secure connection could be made, or a certificate is not trusted; the description says why
        /// (<doc:TransportSecurity>).
        case tlsFailure
        /// The URL is empty, relative or has no host.
        case badURL
        /// The URL's scheme is neither `http` nor `https`.
        case unsupportedScheme
        /// A ``RequestAdapter``, a ``RequestAuthenticator`` or the body of an ``Endpoint`` threw an error, which is the
        /// `underlying` error.
        case adapting
        /// The method or a header field contains characters that HTTP forbids there, such as a line break.
        case malformedRequest
        /// The server redirected too many times.
        case tooManyRedirects
        /// The response is not valid HTTP or exceeds a limit (<doc:Security>); the description says which.
        case badServerResponse
        /// The validation rejected the status of the response.
        case httpStatus(Int)
        /// The validation rejected the response for a reason other than its status.
        case validation
        /// The size or the checksum of the content differs from what the request expects; `underlying` is a
        /// ``ContentMismatch``.
        case contentMismatch
        /// Processing the response failed, for example in a ``ResponseProcessor``, a ``DownloadSink`` or a decoder.
        case processing
        /// A file could not be read or written. `underlying` is usually a `POSIXError` or `CocoaError`, and the
        /// description names the file; a ``FileEndpoint`` whose response has no file provides neither.
        case fileSystem
        /// The content to send is missing, unreadable or has changed. `underlying` is a `POSIXError` or `CocoaError`,
        /// or the error that the closure of a stream threw.
        case bodyUnavailable
        /// The response exceeds the size limit of its destination.
        case responseTooLarge
        /// The server or a proxy requires credentials that it did not get, or a ``RequestAuthenticator`` could not
        /// renew them; in that case `underlying` is the error that it threw.
        case authenticationRequired
        /// The transport does not support a setting of its ``TransportConfiguration`` or of a request; the description
        /// says which.
        ///
        /// ``DefaultTransport/make(_:)`` throws it. A request fails with it if its ``HTTPExchange/NetworkRules`` differ
        /// from the defaults and the transport cannot honor them, or if it sends content with a GET over
        /// ``URLSessionTransport``. In a ``RequestQueue``, a request with a ``NetworkRequest/stage`` other than 0 fails
        /// with it.
        case unsupportedConfiguration
        /// No file descriptor was available for a connection or a file, or no thread could be started; the description
        /// says which.
        case resourceShortage
        /// A request of a lower ``NetworkRequest/stage`` has failed or was canceled, so this one was not started.
        ///
        /// It is a consequence: it does not cancel other requests, and ``NetworkQueue/Summary/firstFailure`` leaves it
        /// out. ``NetworkQueue/retryFailed(includingCancelled:)`` runs the request again, in its stage.
        case earlierStageFailed
        /// The downloads do not fit on their volume; ``NetworkError/space`` has the numbers. Only with
        /// ``NetworkQueue/requiresSpace``, and before anything is transferred.
        case insufficientSpace
        /// Any other failure; see `underlying`.
        case unknown
    }

    /// The kind of failure.
    public var code: Code
    /// The underlying error. For every transport failure and every cancellation this is a `URLError` with the matching
    /// code.
    public var underlying: (any Error)?
    /// The operation that failed.
    public var operationID: RequestID? {
        get { details.value.operationID }
        set { details.value.operationID = newValue }
    }
    /// The URL of the request, without user information. A ``NetworkRequest/freshURL`` does not change it.
    public var url: URL? {
        get { details.value.url }
        set { details.value.url = newValue }
    }
    /// The number of exchanges started for this result.
    public var attempts: Int {
        get { details.value.attempts }
        set { details.value.attempts = newValue }
    }
    /// The failures of the URLs tried before ``url``, in order; empty unless the request has moved on to one of its
    /// ``NetworkRequest/mirrors``.
    public var formerFailures: [NetworkError] {
        get { details.value.formerFailures }
        set { details.value.formerFailures = newValue }
    }
    /// The response, if one arrived: its head and, in `data`, up to 64 KiB of an error page.
    public var response: Response? {
        get { details.value.response }
        set { details.value.response = newValue }
    }
    /// The file or folder that could not be read or written, which the description names; `nil` if the error concerns
    /// neither.
    public var fileURL: URL? { file.map { URL(filePath: $0.path, directoryHint: .inferFromPath) } }
    /// The bytes that all downloads to a volume need, those that are free, and a folder there; `nil` unless ``code`` is
    /// `.insufficientSpace`.
    public internal(set) var space: (needed: Int64, free: Int64, path: String)? {
        get { details.value.space }
        set { details.value.space = newValue }
    }
    /// The name of the type of the user's hook that threw the error, if any.
    var hook: String? {
        get { details.value.hook }
        set { details.value.hook = newValue }
    }
    /// The file concerned.
    var file: FileFault? {
        get { details.value.file }
        set { details.value.file = newValue }
    }
    /// The URL of the exchange that failed, which a redirect may have led to another server than that of `url`.
    var exchangeURL: URL? {
        get { details.value.exchangeURL }
        set { details.value.exchangeURL = newValue }
    }

    /// Whether the request was refused after a HEAD for the same URL succeeded: the HEAD may have used up a single-use
    /// link.
    package var mayComeFromHead: Bool {
        get { details.value.mayComeFromHead }
        set { details.value.mayComeFromHead = newValue }
    }
    /// The codes of such refusals.
    static let mayComeFromHead: Set<Code> = [.httpStatus(403), .httpStatus(404), .httpStatus(410)]

    /// What copies share until one of them changes.
    private struct Details: Sendable {
        var operationID: RequestID?
        var url: URL?
        var attempts = 0
        var formerFailures: [NetworkError] = []
        var response: Response?
        var hook: String?
        var file: FileFault?
        var exchangeURL: URL?
        var mayComeFromHead = false
        var space: (needed: Int64, free: Int64, path: String)?
    }

    private var details = Self.noDetails
    private static let noDetails = CopyOnWrite(Details())

    /// Whether another operation of the same run has stored its file at the destination.
    package var hasSameName: Bool { file?.isStored == true }

    /// Creates an error.
    public init(
        _ code: Code, underlying: (any Error)? = nil, operationID: RequestID? = nil, url: URL? = nil,
        attempts: Int = 0, response: Response? = nil
    ) {
        self.code = code
        self.underlying = underlying
        guard operationID != nil || url != nil || attempts != 0 || response != nil else { return }
        details = CopyOnWrite(Details(operationID: operationID, url: url, attempts: attempts, response: response))
    }

    /// Creates the error for a transport failure.
    init(_ error: URLError) {
        let code: Code =
            switch error.errorUserInfo[NSUnderlyingErrorKey] {
            case is UnsendableExchange: .malformedRequest
            case is UnsupportedExchange: .unsupportedConfiguration
            default: Code(error.code)
            }
        self.init(code, underlying: error)
    }

    /// Creates the error for what a hook has thrown: a ``NetworkError`` unchanged, any other error with `code`.
    init(_ error: any Error, thrownBy hook: any Sendable, as code: Code) {
        self = (error as? NetworkError ?? NetworkError(code, underlying: error)).thrown(by: hook)
    }

    /// Returns the error with the name of the hook that threw it.
    func thrown(by hook: any Sendable) -> NetworkError {
        thrown(byHookNamed: String(describing: (hook as? any HookWrapper)?.userType ?? type(of: hook)))
    }

    /// Returns the error with the name of the hook that threw it, for a closure that has no type of its own.
    func thrown(byHookNamed name: String) -> NetworkError {
        var error = self
        error.hook = name
        return error
    }

    /// Returns the error for a malformed response.
    ///
    /// - Parameter fault: what is wrong, as a sentence for users.
    static func badResponse(_ fault: String) -> NetworkError { NetworkError(.badResponse(fault)) }

    /// Whether the operation ended because it was canceled.
    public var isCancellation: Bool { code == .cancelled }

    static let cancelled = NetworkError(.cancelled, underlying: URLError(.cancelled))
}

extension NetworkError.Code {
    /// Creates the code for a transport failure.
    init(_ code: URLError.Code) {
        switch code {
        case .cancelled, .userCancelledAuthentication: self = .cancelled
        case .timedOut: self = .timedOut
        case .cannotFindHost, .dnsLookupFailed: self = .cannotFindHost
        case .cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed:
            self = .cannotConnectToHost
        case .networkConnectionLost: self = .connectionLost
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            self = .tlsFailure
        case .badURL: self = .badURL
        case .unsupportedURL: self = .unsupportedScheme
        case .httpTooManyRedirects: self = .tooManyRedirects
        case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData,
            .zeroByteResource:
            self = .badServerResponse
        case .dataLengthExceedsMaximum: self = .responseTooLarge
        case .requestBodyStreamExhausted: self = .bodyUnavailable
        case .cannotWriteToFile, .cannotCreateFile, .cannotOpenFile: self = .fileSystem
        case .userAuthenticationRequired: self = .authenticationRequired
        case .resourceUnavailable: self = .resourceShortage
        default: self = .unknown
        }
    }
}

extension URLError {
    /// Returns the error for a malformed response.
    ///
    /// - Parameter fault: what is wrong, as a sentence for users.
    static func badResponse(_ fault: String) -> URLError {
        URLError(.badServerResponse, userInfo: [NSLocalizedDescriptionKey: fault])
    }

    /// The error of an exchange for which no file descriptor was available.
    static var noDescriptor: URLError {
        let reason = "No file descriptor is free; close some files, or raise the limit on open files."
        return URLError(.resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: reason])
    }
}

/// An underlying error which may imply that the request was not sent.
protocol UnsentReason: Error {
    /// Whether the request was not sent, so that there is no response.
    var isUnsent: Bool { get }
}

/// The file that an error concerns, with advice. Stored separately, since not all system errors include the file.
struct FileFault: Sendable {
    let path: String
    /// What an app's user can do about it, as a sentence; `nil` when there is no advice for this error.
    var advice: String?
    /// What a developer can do about it; `nil` means the same.
    var developerAdvice: String?
    /// Whether another operation of the same run has stored its file there.
    var isStored = false
}

/// An internal hook that calls the user's code. Errors include the name of the user's type, and duplicate detection
/// compares it.
protocol HookWrapper: Sendable {
    /// The type whose code is called.
    var userType: Any.Type { get }
}

/// Why an exchange must not be sent; underlies the `URLError` of the transport that refused it.
struct UnsendableExchange: Error, LocalizedError {
    /// The reason as a sentence for users.
    let reason: String

    var errorDescription: String? { reason }
}

/// A feature that the transport does not support; underlies the `URLError` of the transport that refused the exchange.
struct UnsupportedExchange: Error, LocalizedError {
    /// The reason as a sentence for users.
    let reason: String

    var errorDescription: String? { reason }
}

/// Underlies the error of a request with a stage in a queue without stages.
struct StagesUnsupported: Error, LocalizedError {
    var errorDescription: String? { "Only a NetworkQueue has stages; use one, or leave the stage of the request at 0." }
}

/// Underlies the error of an upload that cannot be sent in the way that its request asks for.
struct UnsupportedUpload: Error, LocalizedError {
    /// The reason as a sentence for users.
    let reason: String

    var errorDescription: String? { reason }
}

struct GroupNameUnsupported: Error, LocalizedError {
    var errorDescription: String? { "The name of a group has 1 to 255 bytes." }
}

extension URLError {
    /// Returns the error of a transport that refuses an exchange.
    ///
    /// - Parameter reason: what it does not support, as a sentence for users.
    static func unsupported(_ code: URLError.Code, _ reason: String) -> URLError {
        URLError(
            code,
            userInfo: [NSUnderlyingErrorKey: UnsupportedExchange(reason: reason), NSLocalizedDescriptionKey: reason])
    }
}
