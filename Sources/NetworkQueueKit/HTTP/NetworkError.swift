import Foundation

/// Why a request failed.
public struct NetworkError: Error, Sendable {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The operation was cancelled, by you or by its queue.
        case cancelled
        /// A timeout ran out: connecting, silence from the server, or the whole exchange.
        case timedOut
        /// The host's name, or that of the proxy, could not be resolved.
        case cannotFindHost
        /// The host, or the proxy, refused the connection or could not be reached.
        case cannotConnectToHost
        /// The connection broke, or ended before the response was whole.
        case connectionLost
        /// A secure connection could not be made, or a certificate is not to be trusted; the description says why
        /// (<doc:TransportSecurity>).
        case tlsFailure
        /// The URL is empty, relative or has no host.
        case badURL
        /// The URL's scheme is neither `http` nor `https`.
        case unsupportedScheme
        /// A ``RequestAdapter`` refused the request or could not adapt it, or a ``RequestAuthenticator`` could not
        /// authorize it; `underlying` is what it threw.
        case adapting
        /// The method or a header field has characters that HTTP forbids there, such as a line break.
        case malformedRequest
        /// The server redirected too often.
        case tooManyRedirects
        /// The server's response is not HTTP, or beyond what is taken (<doc:HostileServers>); the description says in
        /// which way.
        case badServerResponse
        /// The response has a status that its validation rejects.
        case httpStatus(Int)
        /// The response is rejected for another reason than its status.
        case validation
        /// The content does not have the size or the checksum that the request expects; `underlying` is a
        /// ``ContentMismatch``.
        case contentMismatch
        /// Processing the response failed.
        case processing
        /// Reading or writing a file failed; `underlying` is a `POSIXError` or `CocoaError`, and the description names
        /// the file.
        case fileSystem
        /// The content to send is missing, cannot be read or has changed; `underlying` is a `POSIXError` or
        /// `CocoaError`.
        case bodyUnavailable
        /// The response is larger than its destination may hold.
        case responseTooLarge
        /// The server or a proxy wants credentials that it was not given, or a ``RequestAuthenticator`` could not renew
        /// them; `underlying` is what that threw.
        case authenticationRequired
        /// A ``TransportConfiguration`` or a request asks for what the transport cannot do here; the description says
        /// for what. ``DefaultTransport/make(_:)`` throws it, and a request ends with it that sets
        /// ``HTTPExchange/NetworkRules`` or, over ``URLSessionTransport``, sends content with a GET.
        case unsupportedConfiguration
        /// No file descriptor was free for a connection or a file, or no thread could be started; the description says
        /// which.
        case resourceShortage
        /// Something else; see `underlying`.
        case unknown
    }

    /// The kind of failure.
    public var code: Code
    /// The error beneath: a `URLError` with the matching code for every failure of the transport and for a
    /// cancellation.
    public var underlying: (any Error)?
    /// The operation that failed.
    public var operationID: RequestID?
    /// The URL that was asked for, without user information.
    public var url: URL?
    /// How many exchanges had been started for the result.
    public var attempts: Int
    /// How the URLs before ``url`` have failed, in this order, if the request has ``NetworkRequest/mirrors`` and has
    /// turned to one; otherwise empty.
    public var formerFailures: [NetworkError] = []
    /// The response, where one has come: the head and, in `data`, up to 64 KiB of an error page.
    public var response: Response?
    /// The file or folder that could not be read or written, and that the description names; `nil` where it is about
    /// neither.
    public var fileURL: URL? { file.map { URL(filePath: $0.path, directoryHint: .inferFromPath) } }
    /// The type of the user's code that has thrown it, where it was thrown by such.
    var hook: String?
    /// The file that it is about.
    var file: FileFault?

    /// Whether the request was refused after a HEAD for the same URL had succeeded: there are links that can be used
    /// once.
    package var mayComeFromHead: Bool = false
    /// The codes of such a refusal.
    static let mayComeFromHead: Set<Code> = [.httpStatus(403), .httpStatus(404), .httpStatus(410)]

    /// Creates an error.
    public init(
        _ code: Code, underlying: (any Error)? = nil, operationID: RequestID? = nil, url: URL? = nil,
        attempts: Int = 0, response: Response? = nil
    ) {
        self.code = code
        self.underlying = underlying
        self.operationID = operationID
        self.url = url
        self.attempts = attempts
        self.response = response
    }

    /// Creates the error for a failure of the transport.
    init(_ error: URLError) {
        let code: Code =
            switch error.errorUserInfo[NSUnderlyingErrorKey] {
            case is UnsendableExchange: .malformedRequest
            case is UnsupportedExchange: .unsupportedConfiguration
            default: Code(error.code)
            }
        self.init(code, underlying: error)
    }

    /// Creates the error for what a hook has thrown: a ``NetworkError`` as such, anything else with `code`.
    init(_ error: any Error, thrownBy hook: any Sendable, as code: Code) {
        self = (error as? NetworkError ?? NetworkError(code, underlying: error)).thrown(by: hook)
    }

    /// The error with the name of the hook that it comes from.
    func thrown(by hook: any Sendable) -> NetworkError {
        thrown(byHookNamed: String(describing: (hook as? any HookWrapper)?.userType ?? type(of: hook)))
    }

    /// The error with the name of the hook that it comes from, which is a closure without a type.
    func thrown(byHookNamed name: String) -> NetworkError {
        var error = self
        error.hook = name
        return error
    }

    /// The error for a response that is not to be relied on.
    ///
    /// - Parameter fault: what is wrong with it, as a sentence for people.
    static func badResponse(_ fault: String) -> NetworkError { NetworkError(.badResponse(fault)) }

    /// Whether the operation ended because it was cancelled.
    public var isCancellation: Bool { code == .cancelled }

    static let cancelled = NetworkError(.cancelled, underlying: URLError(.cancelled))
}

extension NetworkError.Code {
    /// The code for a failure of the transport.
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
    /// The error for a response that is not to be relied on.
    ///
    /// - Parameter fault: what is wrong with it, as a sentence for people.
    static func badResponse(_ fault: String) -> URLError {
        URLError(.badServerResponse, userInfo: [NSLocalizedDescriptionKey: fault])
    }

    /// The error of an exchange for which no file descriptor was free.
    static var noDescriptor: URLError {
        let reason = "No file descriptor is free: close some files, or raise the limit for them."
        return URLError(.resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: reason])
    }
}

/// An error beneath a ``NetworkError`` that may mean that the request has not been sent.
protocol UnsentReason: Error {
    /// Whether the request has not been sent, so that there cannot be a response.
    var isUnsent: Bool { get }
}

/// Which file an error is about, and what to do about it. The system's errors do not keep it on every platform.
struct FileFault: Sendable {
    let path: String
    /// What to do about it, as a sentence; `nil` when there is no advice for this error.
    var advice: String?
}

/// A hook of the library's own that calls the user's code. Errors name that code's type, and requests are told apart by
/// it.
protocol HookWrapper: Sendable {
    /// The type whose code is called.
    var userType: Any.Type { get }
}

/// Why an exchange must not go on the wire; beneath the `URLError` of a transport that has refused it.
struct UnsendableExchange: Error, LocalizedError {
    /// A sentence for people.
    let reason: String

    var errorDescription: String? { reason }
}

/// What an exchange asks for that its transport cannot do; beneath the `URLError` of a transport that has refused it.
struct UnsupportedExchange: Error, LocalizedError {
    /// A sentence for people.
    let reason: String

    var errorDescription: String? { reason }
}

extension URLError {
    /// The error of a transport that refuses an exchange.
    ///
    /// - Parameter reason: what it cannot do, as a sentence for people.
    static func unsupported(_ code: URLError.Code, _ reason: String) -> URLError {
        URLError(
            code,
            userInfo: [NSUnderlyingErrorKey: UnsupportedExchange(reason: reason), NSLocalizedDescriptionKey: reason])
    }
}
