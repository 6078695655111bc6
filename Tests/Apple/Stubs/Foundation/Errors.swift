// Foundation's errors, and how Swift bridges them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Darwin
import Dispatch
import ObjectiveC

public let NSLocalizedDescriptionKey = "NSLocalizedDescription"
public let NSUnderlyingErrorKey = "NSUnderlyingError"
public let NSURLErrorKey = "NSURL"
public let NSFilePathErrorKey = "NSFilePath"
public let NSURLErrorFailingURLErrorKey = "NSErrorFailingURLKey"
public let NSURLErrorFailingURLStringErrorKey = "NSErrorFailingURLStringKey"
public let NSURLErrorDomain = "NSURLErrorDomain"
public let NSPOSIXErrorDomain = "NSPOSIXErrorDomain"
public let NSCocoaErrorDomain = "NSCocoaErrorDomain"
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"
public let NSURLAuthenticationMethodHTTPBasic = "NSURLAuthenticationMethodHTTPBasic"
public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}
extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}
public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}
extension CustomNSError {
    public static var errorDomain: String { "" }
    public var errorCode: Int { 0 }
    public var errorUserInfo: [String: Any] { [:] }
}
open class NSError: NSObject, Error, @unchecked Sendable {
    public init(domain: String, code: Int, userInfo: [String: Any]? = nil) {}
    open var domain: String { "" }
    open var code: Int { 0 }
    open var userInfo: [String: Any] { [:] }
    open var localizedDescription: String { "" }
    open var underlyingErrors: [any Error] { [] }
}
// `error as NSError`, which always succeeds on Apple's platforms, does not compile here: it needs Objective-C.
extension Error { public var localizedDescription: String { "" } }
public protocol _BridgedStoredNSError: CustomNSError, Hashable {
    associatedtype Code: RawRepresentable & Equatable
    init(_ code: Code, userInfo: [String: Any])
    var code: Code { get }
}
extension _BridgedStoredNSError {
    public var localizedDescription: String { "" }
    public var userInfo: [String: Any] { [:] }
    public func hash(into hasher: inout Hasher) {}
    public static func == (a: Self, b: Self) -> Bool { false }
}
public protocol _ErrorCodeProtocol: Equatable { associatedtype _ErrorType }
public func ~= <C: _ErrorCodeProtocol>(match: C, error: any Error) -> Bool { false }
public struct URLError: _BridgedStoredNSError, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable, _ErrorCodeProtocol {
        public typealias _ErrorType = URLError
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
    }
    public init(_ code: Code, userInfo: [String: Any] = [:]) {}
    public var code: Code { Code(rawValue: 0) }
    public var errorUserInfo: [String: Any] { [:] }
    public var failingURL: URL? { nil }
    public var failureURLString: String? { nil }
    public enum NetworkUnavailableReason: Sendable { case cellular, expensive, constrained }
    public var networkUnavailableReason: NetworkUnavailableReason? { nil }
}
extension URLError.Code {
    public static let unknown = Self(rawValue: -1), cancelled = Self(rawValue: -999), badURL = Self(rawValue: -1000),
        timedOut = Self(rawValue: -1001), unsupportedURL = Self(rawValue: -1002),
        cannotFindHost = Self(rawValue: -1003), cannotConnectToHost = Self(rawValue: -1004),
        networkConnectionLost = Self(rawValue: -1005), dnsLookupFailed = Self(rawValue: -1006),
        httpTooManyRedirects = Self(rawValue: -1007), resourceUnavailable = Self(rawValue: -1008),
        notConnectedToInternet = Self(rawValue: -1009), redirectToNonExistentLocation = Self(rawValue: -1010),
        badServerResponse = Self(rawValue: -1011), userCancelledAuthentication = Self(rawValue: -1012),
        userAuthenticationRequired = Self(rawValue: -1013), zeroByteResource = Self(rawValue: -1014),
        cannotDecodeRawData = Self(rawValue: -1015), cannotDecodeContentData = Self(rawValue: -1016),
        cannotParseResponse = Self(rawValue: -1017),
        appTransportSecurityRequiresSecureConnection = Self(rawValue: -1022), fileDoesNotExist = Self(rawValue: -1100),
        fileIsDirectory = Self(rawValue: -1101), noPermissionsToReadFile = Self(rawValue: -1102),
        dataLengthExceedsMaximum = Self(rawValue: -1103), secureConnectionFailed = Self(rawValue: -1200),
        serverCertificateHasBadDate = Self(rawValue: -1201), serverCertificateUntrusted = Self(rawValue: -1202),
        serverCertificateHasUnknownRoot = Self(rawValue: -1203), serverCertificateNotYetValid = Self(rawValue: -1204),
        clientCertificateRejected = Self(rawValue: -1205), clientCertificateRequired = Self(rawValue: -1206),
        cannotLoadFromNetwork = Self(rawValue: -2000), cannotCreateFile = Self(rawValue: -3000),
        cannotOpenFile = Self(rawValue: -3001), cannotCloseFile = Self(rawValue: -3002),
        cannotWriteToFile = Self(rawValue: -3003), cannotRemoveFile = Self(rawValue: -3004),
        cannotMoveFile = Self(rawValue: -3005), internationalRoamingOff = Self(rawValue: -1018),
        callIsActive = Self(rawValue: -1019), dataNotAllowed = Self(rawValue: -1020),
        requestBodyStreamExhausted = Self(rawValue: -1021),
        backgroundSessionRequiresSharedContainer = Self(rawValue: -995),
        backgroundSessionInUseByAnotherProcess = Self(rawValue: -996),
        backgroundSessionWasDisconnected = Self(rawValue: -997)
}
extension URLError {
    public static var unknown: Code { .unknown }
    public static var cancelled: Code { .cancelled }
    public static var badURL: Code { .badURL }
    public static var timedOut: Code { .timedOut }
    public static var networkConnectionLost: Code { .networkConnectionLost }
    public static var notConnectedToInternet: Code { .notConnectedToInternet }
    public static var cannotConnectToHost: Code { .cannotConnectToHost }
    public static var cannotFindHost: Code { .cannotFindHost }
    public static var badServerResponse: Code { .badServerResponse }
    public static var unsupportedURL: Code { .unsupportedURL }
}
public enum POSIXErrorCode: Int32, Sendable {
    case EPERM = 1, ENOENT, ESRCH, EINTR, EIO, ENXIO, E2BIG, ENOEXEC, EBADF, ECHILD, EDEADLK, ENOMEM, EACCES, EFAULT,
        ENOTBLK, EBUSY, EEXIST, EXDEV, ENODEV, ENOTDIR, EISDIR, EINVAL, ENFILE, EMFILE, ENOTTY, ETXTBSY, EFBIG, ENOSPC,
        ESPIPE, EROFS, EMLINK, EPIPE, EDOM, ERANGE, EAGAIN, EINPROGRESS, EALREADY, ENOTSOCK, EDESTADDRREQ, EMSGSIZE,
        EPROTOTYPE, ENOPROTOOPT, EPROTONOSUPPORT, ESOCKTNOSUPPORT, ENOTSUP, EPFNOSUPPORT, EAFNOSUPPORT, EADDRINUSE,
        EADDRNOTAVAIL, ENETDOWN, ENETUNREACH, ENETRESET, ECONNABORTED, ECONNRESET, ENOBUFS, EISCONN, ENOTCONN,
        ESHUTDOWN, ETOOMANYREFS, ETIMEDOUT, ECONNREFUSED, ELOOP, ENAMETOOLONG, EHOSTDOWN, EHOSTUNREACH, ENOTEMPTY,
        EPROCLIM, EUSERS, EDQUOT, ESTALE, ECANCELED = 89
}
extension POSIXErrorCode: _ErrorCodeProtocol { public typealias _ErrorType = POSIXError }
public struct POSIXError: _BridgedStoredNSError, Sendable {
    public typealias Code = POSIXErrorCode
    public init(_ code: Code, userInfo: [String: Any] = [:]) {}
    public var code: Code { .EIO }
    public static var ENOENT: Code { .ENOENT }
    public static var ENOSPC: Code { .ENOSPC }
    public static var EACCES: Code { .EACCES }
    public static var EPIPE: Code { .EPIPE }
    public static var EMFILE: Code { .EMFILE }
    public static var ENFILE: Code { .ENFILE }
    public static var EEXIST: Code { .EEXIST }
    public static var EDQUOT: Code { .EDQUOT }
    public static var EIO: Code { .EIO }
}
public struct CocoaError: _BridgedStoredNSError, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable, _ErrorCodeProtocol {
        public typealias _ErrorType = CocoaError
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let fileReadNoSuchFile = Code(rawValue: 260), fileWriteOutOfSpace = Code(rawValue: 640),
            fileReadUnknown = Code(rawValue: 256), fileWriteUnknown = Code(rawValue: 512),
            fileWriteFileExists = Code(rawValue: 516), fileNoSuchFile = Code(rawValue: 4),
            fileReadUnsupportedScheme = Code(rawValue: 262), coderInvalidValue = Code(rawValue: 4866),
            fileReadNoPermission = Code(rawValue: 257), fileWriteNoPermission = Code(rawValue: 513),
            fileReadCorruptFile = Code(rawValue: 259), userCancelled = Code(rawValue: 3072),
            featureUnsupported = Code(rawValue: 3328)
    }
    public init(_ code: Code, userInfo: [String: Any] = [:]) {}
    public var code: Code { Code(rawValue: 0) }
    public var underlying: (any Error)? { nil }
    public static var fileReadNoSuchFile: Code { .fileReadNoSuchFile }
    public static var fileNoSuchFile: Code { .fileNoSuchFile }
}

public func _convertErrorToNSError(_ error: any Error) -> NSError { stub() }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { stub() }
