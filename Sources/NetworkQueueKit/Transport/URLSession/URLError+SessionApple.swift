import Foundation

extension URLError {
    /// Interprets an error of Apple's. Most are a `URLError`; some come from CFNetwork or the system beneath it.
    init(apple error: any Error, proxy: URL?) {
        let error = error as NSError
        var userInfo = error.userInfo
        var meaning = Self.meaning(of: error) ?? (.unknown, isAtProxy: false)
        if meaning.code == .secureConnectionFailed, Self.isHandshakeCut(error) {
            meaning.code = .networkConnectionLost
            userInfo.merge(Self.userInfo(isHandshakeCut: true)) { _, own in own }
        }
        if !(error.domain == NSURLErrorDomain && meaning.code.rawValue == error.code) {
            userInfo[NSUnderlyingErrorKey] = error
        }
        // With a proxy, it is the only host that is resolved and connected to.
        let isUnreached = proxy != nil && [.cannotFindHost, .cannotConnectToHost].contains(meaning.code)
        if meaning.isAtProxy || isUnreached {
            let place = proxy.flatMap { ProxyFailure.place(of: $0.absoluteString) } ?? ""
            let isRefused = meaning.code == .userAuthenticationRequired
            userInfo.merge(Self.userInfo(failedProxy: place, refusesCredential: isRefused)) { _, own in own }
        }
        if meaning.code == .appTransportSecurityRequiresSecureConnection {
            userInfo[NSLocalizedDescriptionKey] = Self.transportSecuritySentence
        }
        self.init(meaning.code, userInfo: userInfo)
    }

    private static let transportSecuritySentence =
        "App Transport Security does not allow http (NSURLErrorAppTransportSecurityRequiresSecureConnection). Use https, or add an "
        + "exception to NSAppTransportSecurity in the app’s Info.plist."

    /// Whether a handshake failed because its connection ended.
    private static func isHandshakeCut(_ error: NSError) -> Bool {
        guard let number = error.userInfo["_kCFStreamErrorCodeKey"] as? Int else { return false }
        switch error.userInfo["_kCFStreamErrorDomainKey"] as? Int {
        case 1: return number == Int(POSIXErrorCode.ECONNRESET.rawValue)  // kCFStreamErrorDomainPOSIX
        case 3: return [-9805, -9806, -9816].contains(number)  // kCFStreamErrorDomainSSL: errSSLClosed…
        default: return false
        }
    }

    private typealias Meaning = (code: URLError.Code, isAtProxy: Bool)

    private static func meaning(of error: NSError) -> Meaning? {
        switch error.domain {
        case NSURLErrorDomain:
            let code = Self.code(rawValue: error.code)
            guard code == .unknown, let beneath = error.userInfo[NSUnderlyingErrorKey] as? NSError else {
                return (code, isAtProxy: false)
            }
            return meaning(of: beneath) ?? (code, isAtProxy: false)
        case "kCFErrorDomainCFNetwork": return meaning(ofCFNetwork: error.code)
        case NSPOSIXErrorDomain:
            return POSIXErrorCode(rawValue: Int32(clamping: error.code)).flatMap { code(of: $0) }
                .map { ($0, isAtProxy: false) }
        default: return nil
        }
    }

    /// The codes of CFNetworkErrors.h.
    private static func meaning(ofCFNetwork code: Int) -> Meaning? {
        switch code {
        case 1, 2: (.cannotFindHost, isAtProxy: false)  // kCFHostErrorHostNotFound, …Unknown
        case 100...120: (.cannotConnectToHost, isAtProxy: true)  // kCFSOCKSError…, kCFSOCKS4Error…
        case 121...124: (.userAuthenticationRequired, isAtProxy: true)  // kCFSOCKS5Error… about credentials
        case 300, 301: (.userAuthenticationRequired, isAtProxy: false)  // kCFErrorHTTP… about credentials
        case 302: (.networkConnectionLost, isAtProxy: false)  // kCFErrorHTTPConnectionLost
        case 303: (.badServerResponse, isAtProxy: false)  // kCFErrorHTTPParseFailure
        case 304: (.httpTooManyRedirects, isAtProxy: false)  // kCFErrorHTTPRedirectionLoopDetected
        case 305: (.badURL, isAtProxy: false)  // kCFErrorHTTPBadURL
        case 307: (.userAuthenticationRequired, isAtProxy: true)  // kCFErrorHTTPBadProxyCredentials
        case 306, 308...313: (.cannotConnectToHost, isAtProxy: true)  // kCFErrorHTTPProxyConnectionFailure and others
        // The other codes are those of NSURLErrorDomain.
        case ..<0: (Self.code(rawValue: code), isAtProxy: false)
        default: nil
        }
    }

    /// The code for a number; `.unknown` for those that Foundation on Linux does not declare.
    private static func code(rawValue: Int) -> URLError.Code {
        let code: URLError.Code? = URLError.Code(rawValue: rawValue)
        return code ?? .unknown
    }

    private static func code(of error: POSIXErrorCode) -> URLError.Code? {
        switch error {
        case .ECONNRESET, .ECONNABORTED, .ENOTCONN, .EPIPE, .ENETRESET, .ESHUTDOWN: .networkConnectionLost
        case .ECONNREFUSED, .EHOSTUNREACH, .EHOSTDOWN, .EADDRNOTAVAIL, .EADDRINUSE: .cannotConnectToHost
        case .ENETDOWN, .ENETUNREACH: .notConnectedToInternet
        case .ETIMEDOUT: .timedOut
        case .EMFILE, .ENFILE: .resourceUnavailable
        default: nil
        }
    }
}
