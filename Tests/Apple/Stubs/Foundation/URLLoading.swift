// Requests, responses, cookies and credentials.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Darwin
import Dispatch
import ObjectiveC

public struct URLRequest: Hashable, Sendable, CustomStringConvertible {
    public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy = 0, reloadIgnoringLocalCacheData = 1, reloadIgnoringLocalAndRemoteCacheData = 4,
            returnCacheDataElseLoad = 2, returnCacheDataDontLoad = 3, reloadRevalidatingCacheData = 5
    }
    public enum NetworkServiceType: UInt, Sendable {
        case `default` = 0, video = 2, background = 3, voice = 4, responsiveData = 6, avStreaming = 8, responsiveAV = 9,
            callSignaling = 11
    }
    public enum Attribution: UInt, Sendable { case developer, user }
    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60) {}
    public var url: URL?
    public var cachePolicy: CachePolicy = .useProtocolCachePolicy
    public var timeoutInterval: TimeInterval = 60
    public var mainDocumentURL: URL?
    public var networkServiceType: NetworkServiceType = .default
    public var allowsCellularAccess = true
    public var allowsExpensiveNetworkAccess = true
    public var allowsConstrainedNetworkAccess = true
    public var assumesHTTP3Capable = false
    public var attribution: Attribution = .developer
    public var requiresDNSSECValidation = false
    public var httpMethod: String?
    public var allHTTPHeaderFields: [String: String]?
    public var httpBody: Data?
    public var httpShouldHandleCookies = true
    public var httpShouldUsePipelining = false
    public var httpBodyStream: InputStream? {
        get { nil }
        set {}
    }
    public func value(forHTTPHeaderField: String) -> String? { nil }
    public mutating func setValue(_ v: String?, forHTTPHeaderField: String) {}
    public mutating func addValue(_ v: String, forHTTPHeaderField: String) {}
    public var description: String { "" }
}
open class URLResponse: NSObject, @unchecked Sendable {
    public init(url: URL, mimeType: String?, expectedContentLength: Int, textEncodingName: String?) {}
    open var url: URL? { nil }
    open var mimeType: String? { nil }
    open var expectedContentLength: Int64 { 0 }
    open var suggestedFilename: String? { nil }
    open var textEncodingName: String? { nil }
}
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    public init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) { stub() }
    open var statusCode: Int { 0 }
    open var allHeaderFields: [AnyHashable: Any] { [:] }
    open func value(forHTTPHeaderField: String) -> String? { nil }
    open class func localizedString(forStatusCode: Int) -> String { "" }
}
public struct HTTPCookiePropertyKey: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ s: String) { rawValue = s }
    public static let name = Self(""), value = Self(""), domain = Self(""), path = Self(""), secure = Self(""),
        expires = Self(""), originURL = Self(""), version = Self(""), comment = Self(""), discard = Self(""),
        maximumAge = Self(""), port = Self(""), sameSitePolicy = Self("")
}
open class HTTPCookie: NSObject, @unchecked Sendable {
    public init?(properties: [HTTPCookiePropertyKey: Any]) {}
    open var name: String { "" }
    open var value: String { "" }
    open var domain: String { "" }
    open var path: String { "" }
    open var expiresDate: Date? { nil }
    open var isSecure: Bool { false }
    open var isHTTPOnly: Bool { false }
    open var isSessionOnly: Bool { false }
    open var version: Int { 0 }
    open var properties: [HTTPCookiePropertyKey: Any]? { nil }
    open class func cookies(withResponseHeaderFields: [String: String], for: URL) -> [HTTPCookie] { [] }
}
open class HTTPCookieStorage: NSObject, @unchecked Sendable {
    public enum AcceptPolicyStub {}
    public override init() {}
    open class var shared: HTTPCookieStorage { stub() }
    open class func sharedCookieStorage(forGroupContainerIdentifier: String) -> HTTPCookieStorage { stub() }
    open var cookies: [HTTPCookie]? { nil }
    open func setCookie(_ c: HTTPCookie) {}
    open func deleteCookie(_ c: HTTPCookie) {}
    open func cookies(for: URL) -> [HTTPCookie]? { nil }
    open func setCookies(_ c: [HTTPCookie], for: URL?, mainDocumentURL: URL?) {}
    open var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { .always }
        set {}
    }
    open func removeCookies(since: Date) {}
}
extension HTTPCookie { public enum AcceptPolicy: UInt, Sendable { case always, never, onlyFromMainDocumentDomain } }
open class URLCredential: NSObject, @unchecked Sendable {
    public enum Persistence: UInt, Sendable { case none, forSession, permanent, synchronizable }
    public init(user: String, password: String, persistence: Persistence) {}
    open var user: String? { nil }
    open var password: String? { nil }
    open var hasPassword: Bool { false }
    open var persistence: Persistence { .none }
}
open class URLProtectionSpace: NSObject, @unchecked Sendable {
    public init(host: String, port: Int, protocol: String?, realm: String?, authenticationMethod: String?) {}
    open var host: String { "" }
    open var port: Int { 0 }
    open var realm: String? { nil }
    open var authenticationMethod: String { "" }
    open var `protocol`: String? { nil }
    open func isProxy() -> Bool { false }
}
public protocol URLAuthenticationChallengeSender: NSObjectProtocol {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge)
    func cancel(_ challenge: URLAuthenticationChallenge)
    func performDefaultHandling(for challenge: URLAuthenticationChallenge)
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge)
}
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    public init(
        protectionSpace: URLProtectionSpace, proposedCredential: URLCredential?, previousFailureCount: Int,
        failureResponse: URLResponse?, error: (any Error)?, sender: any URLAuthenticationChallengeSender
    ) {}
    open var protectionSpace: URLProtectionSpace { stub() }
    open var proposedCredential: URLCredential? { nil }
    open var previousFailureCount: Int { 0 }
    open var failureResponse: URLResponse? { nil }
    open var error: (any Error)? { nil }
}
open class URLCredentialStorage: NSObject, @unchecked Sendable {
    open class var shared: URLCredentialStorage { stub() }
}
open class URLCache: NSObject, @unchecked Sendable { open class var shared: URLCache { stub() } }
public enum tls_protocol_version_t: UInt16, Sendable { case TLSv10 = 0x301, TLSv11, TLSv12, TLSv13 }
