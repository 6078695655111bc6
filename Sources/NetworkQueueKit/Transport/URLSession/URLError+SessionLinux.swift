import Foundation

extension URLError {
    /// Interprets an error of Foundation on Linux, which keeps libcurl's messages but few of its codes.
    init(libcurl error: URLError, url: URL, proxy: URL?) {
        var userInfo = error.errorUserInfo
        let message = userInfo[NSLocalizedDescriptionKey] as? String ?? ""
        // Foundation on Linux uses only the environment's proxies.
        let failedProxy = ProxyFailure(configured: nil).place(for: url, message: message)
        // Remove libcurl's message. Foundation has its own for the code.
        if ProxySecrets(configured: proxy).mayBe(in: message) {
            userInfo[NSLocalizedDescriptionKey] = nil
            userInfo[NSUnderlyingErrorKey] = nil
        }
        userInfo.merge(Self.userInfo(failedProxy: failedProxy)) { _, own in own }
        let fault = Self.tlsFault(of: error, message: message)
        if let fault { userInfo[NSLocalizedDescriptionKey] = fault.sentence }
        var code = fault?.code ?? Self.code(of: error)
        if code == .secureConnectionFailed, fault == nil, TLSFault.isCut(message) {
            code = .networkConnectionLost
            userInfo.merge(Self.userInfo(isHandshakeCut: true)) { _, own in own }
        }
        self.init(code, userInfo: userInfo)
    }

    private static func code(of error: URLError) -> URLError.Code {
        switch error.code {
        // Schemes were checked before, so this means the protocol of the response, such as HTTP/0.9.
        case .unsupportedURL: return .badServerResponse
        // The only cause is CURLE_GOT_NOTHING.
        case .badServerResponse: return .networkConnectionLost
        case .unknown:
            let words = error.errorUserInfo[NSLocalizedDescriptionKey] as? String ?? ""
            return meanings.first { words.contains($0.fragment) }?.code ?? .unknown
        default: return error.code
        }
    }

    /// The TLS fault behind an error. A session never has a client certificate.
    private static func tlsFault(of error: URLError, message: String) -> TLSFault? {
        switch error.code {
        case .unknown, .secureConnectionFailed, .clientCertificateRejected, .serverCertificateUntrusted:
            TLSFault(words: message, hasClientCertificate: false)
        case .networkConnectionLost: TLSFault.alert(in: message, hasClientCertificate: false)
        default: nil
        }
    }

    /// Phrases in libcurl's messages, the more specific ones first.
    private static let meanings: [(fragment: String, code: URLError.Code)] = [
        ("transfer closed with", .networkConnectionLost),
        ("end of response with", .networkConnectionLost),
        ("chunked-encoding", .networkConnectionLost),
        ("Recv failure", .networkConnectionLost),
        ("Send failure", .networkConnectionLost),
        ("SSL_read", .networkConnectionLost),
        ("SSL_write", .networkConnectionLost),
        ("Failed writing header", .badServerResponse),
        ("Header without colon", .badServerResponse),
        ("Nul byte in header", .badServerResponse),
        ("Too large response headers", .badServerResponse),
        ("Invalid Content-Length", .badServerResponse),
        // libcurl reports this for a header line that is too long for its buffer.
        ("Out of memory", .badServerResponse),
        ("content unencoding", .cannotDecodeContentData),
        ("certificate problem", .serverCertificateUntrusted),
        ("certificate verification failed", .serverCertificateUntrusted),
        ("SSL", .secureConnectionFailed),
        ("TLS", .secureConnectionFailed),
        ("error:", .secureConnectionFailed),
    ]
}
