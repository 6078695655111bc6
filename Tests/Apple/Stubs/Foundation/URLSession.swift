// `URLSession`, its configuration, tasks, metrics and delegates.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Darwin
import Dispatch
import ObjectiveC

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    open class var `default`: URLSessionConfiguration { stub() }
    open class var ephemeral: URLSessionConfiguration { stub() }
    open class func background(withIdentifier: String) -> URLSessionConfiguration { stub() }
    open var identifier: String? { nil }
    open var requestCachePolicy: URLRequest.CachePolicy {
        get { stub() }
        set {}
    }
    open var timeoutIntervalForRequest: TimeInterval {
        get { 0 }
        set {}
    }
    open var timeoutIntervalForResource: TimeInterval {
        get { 0 }
        set {}
    }
    open var networkServiceType: URLRequest.NetworkServiceType {
        get { .default }
        set {}
    }
    open var allowsCellularAccess: Bool {
        get { false }
        set {}
    }
    open var allowsExpensiveNetworkAccess: Bool {
        get { false }
        set {}
    }
    open var allowsConstrainedNetworkAccess: Bool {
        get { false }
        set {}
    }
    open var waitsForConnectivity: Bool {
        get { false }
        set {}
    }
    open var connectionProxyDictionary: [AnyHashable: Any]? {
        get { nil }
        set {}
    }
    open var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { stub() }
        set {}
    }
    open var tlsMaximumSupportedProtocolVersion: tls_protocol_version_t {
        get { stub() }
        set {}
    }
    open var httpShouldUsePipelining: Bool {
        get { false }
        set {}
    }
    open var httpShouldSetCookies: Bool {
        get { false }
        set {}
    }
    open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { stub() }
        set {}
    }
    open var httpAdditionalHeaders: [AnyHashable: Any]? {
        get { nil }
        set {}
    }
    open var httpMaximumConnectionsPerHost: Int {
        get { 0 }
        set {}
    }
    open var httpCookieStorage: HTTPCookieStorage? {
        get { nil }
        set {}
    }
    open var urlCredentialStorage: URLCredentialStorage? {
        get { nil }
        set {}
    }
    open var urlCache: URLCache? {
        get { nil }
        set {}
    }
    open var protocolClasses: [AnyClass]? {
        get { nil }
        set {}
    }
}
open class URLSession: NSObject, @unchecked Sendable {
    public enum ResponseDisposition: Int, Sendable { case cancel, allow, becomeDownload, becomeStream }
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }
    open class var shared: URLSession { stub() }
    public convenience init(configuration: URLSessionConfiguration) { stub() }
    public convenience init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) { stub() }
    open var delegateQueue: OperationQueue { stub() }
    open var delegate: (any URLSessionDelegate)? { nil }
    open var configuration: URLSessionConfiguration { stub() }
    open func finishTasksAndInvalidate() {}
    open func invalidateAndCancel() {}
    open func dataTask(with: URLRequest) -> URLSessionDataTask { stub() }
    open func dataTask(with: URL) -> URLSessionDataTask { stub() }
    @preconcurrency open func dataTask(
        with: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask { stub() }
    open func uploadTask(with: URLRequest, fromFile: URL) -> URLSessionUploadTask { stub() }
    open func uploadTask(with: URLRequest, from: Data) -> URLSessionUploadTask { stub() }
    open func uploadTask(withStreamedRequest: URLRequest) -> URLSessionUploadTask { stub() }
    open func downloadTask(with: URLRequest) -> URLSessionDownloadTask { stub() }
    @preconcurrency open func dataTask(
        with: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask { stub() }
    @preconcurrency open func downloadTask(
        with: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask { stub() }
    @preconcurrency open func downloadTask(
        with: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask { stub() }
    @preconcurrency open func uploadTask(
        with: URLRequest, fromFile: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask { stub() }
    open func data(for: URLRequest) async throws -> (Data, URLResponse) { stub() }
    open func data(from: URL) async throws -> (Data, URLResponse) { stub() }
}
open class URLSessionTask: NSObject, @unchecked Sendable {
    open var taskIdentifier: Int { 0 }
    open var originalRequest: URLRequest? { nil }
    open var currentRequest: URLRequest? { nil }
    open var response: URLResponse? { nil }
    open var delegate: (any URLSessionTaskDelegate)? {
        get { nil }
        set {}
    }
    open var progress: Progress { stub() }
    open func cancel() {}
    open func suspend() {}
    open func resume() {}
    open var error: (any Error)? { nil }
    open var priority: Float {
        get { 0 }
        set {}
    }
    public static let lowPriority: Float = 0.25
    open var countOfBytesSent: Int64 { 0 }
}
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    public enum ResourceFetchType: Int, Sendable { case unknown, networkLoad, serverPush, localCache }
    open var request: URLRequest { stub() }
    open var response: URLResponse? { nil }
    open var fetchStartDate: Date? { nil }
    open var domainLookupStartDate: Date? { nil }
    open var domainLookupEndDate: Date? { nil }
    open var connectStartDate: Date? { nil }
    open var secureConnectionStartDate: Date? { nil }
    open var secureConnectionEndDate: Date? { nil }
    open var connectEndDate: Date? { nil }
    open var requestStartDate: Date? { nil }
    open var requestEndDate: Date? { nil }
    open var responseStartDate: Date? { nil }
    open var responseEndDate: Date? { nil }
    open var networkProtocolName: String? { nil }
    open var isProxyConnection: Bool { false }
    open var isReusedConnection: Bool { false }
    open var resourceFetchType: ResourceFetchType { .unknown }
    open var countOfRequestHeaderBytesSent: Int64 { 0 }
    open var countOfResponseBodyBytesReceived: Int64 { 0 }
    open var localAddress: String? { nil }
    open var localPort: Int? { nil }
    open var remoteAddress: String? { nil }
    open var remotePort: Int? { nil }
    open var negotiatedTLSProtocolVersion: tls_protocol_version_t? { nil }
}
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    open var transactionMetrics: [URLSessionTaskTransactionMetrics] { [] }
    open var redirectCount: Int { 0 }
}
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
}
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64)
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}
// Optional in Objective-C. Those that the router has are required here, so that one that nearly matches is an error.
extension URLSessionDelegate {
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {}
}
