import Foundation
import Testing

@testable import NetworkQueueKit

/// Errors as Apple's sessions report them.
struct SessionErrorTests {
    private func error(_ domain: String, _ code: Int, beneath: NSError? = nil, proxy: URL? = nil) -> URLError {
        let userInfo = beneath.map { [NSUnderlyingErrorKey: $0] }
        let error = NSError(domain: domain, code: code, userInfo: userInfo)
        return URLError(session: error, url: AppleSession.url, proxy: proxy, policy: .apple)
    }

    private static let posix: [(POSIXErrorCode, URLError.Code)] = [
        (.ECONNRESET, .networkConnectionLost), (.EPIPE, .networkConnectionLost), (.ENOTCONN, .networkConnectionLost),
        (.ECONNABORTED, .networkConnectionLost), (.ECONNREFUSED, .cannotConnectToHost),
        (.EHOSTUNREACH, .cannotConnectToHost), (.ENETDOWN, .notConnectedToInternet),
        (.ENETUNREACH, .notConnectedToInternet), (.ETIMEDOUT, .timedOut), (.EMFILE, .resourceUnavailable),
        (.EIO, .unknown),
    ]

    @Test(arguments: posix)
    func `An error of the system beneath has a code of its own`(code: POSIXErrorCode, expected: URLError.Code) {
        let bare = error(NSPOSIXErrorDomain, Int(code.rawValue))
        #expect(bare.code == expected)
        #expect((bare.errorUserInfo[NSUnderlyingErrorKey] as? NSError)?.code == Int(code.rawValue))
        // As the reason of one that says nothing, too.
        let beneath = NSError(domain: NSPOSIXErrorDomain, code: Int(code.rawValue))
        #expect(error(NSURLErrorDomain, -1, beneath: beneath).code == expected)
    }

    private static let cfNetwork: [(Int, URLError.Code, isAtProxy: Bool)] = [
        (1, .cannotFindHost, false), (2, .cannotFindHost, false), (100, .cannotConnectToHost, true),
        (122, .userAuthenticationRequired, true), (302, .networkConnectionLost, false),
        (303, .badServerResponse, false), (304, .httpTooManyRedirects, false), (306, .cannotConnectToHost, true),
        (307, .userAuthenticationRequired, true), (310, .cannotConnectToHost, true),
        (311, .cannotConnectToHost, true), (-1005, .networkConnectionLost, false), (-1003, .cannotFindHost, false),
        (7, .unknown, false),
    ]

    @Test(arguments: cfNetwork)
    func `An error of CFNetwork has a code of its own`(code: Int, expected: URLError.Code, isAtProxy: Bool) throws {
        let proxy = try #require(URL(string: "http://name:word@proxy.test:3128"))
        #expect(error("kCFErrorDomainCFNetwork", code).code == expected)
        let failure = error("kCFErrorDomainCFNetwork", code, proxy: proxy)
        #expect(failure.code == expected)
        // Through a proxy, it is the only host that is looked up and connected to.
        let isExpected = isAtProxy || [.cannotFindHost, .cannotConnectToHost].contains(expected)
        #expect(failure.failedProxy == (isExpected ? "proxy.test:3128" : nil))
        #expect(failure.isProxyCredentialRefused == (isAtProxy && expected == .userAuthenticationRequired))
    }

    @Test func `App Transport Security is named`() {
        let failure = NetworkError(error(NSURLErrorDomain, -1022))
        #expect(failure.code == .tlsFailure)
        #expect(failure.description.contains("App Transport Security does not allow http"))
        #expect(failure.description.contains("NSAppTransportSecurity"))
    }

    @Test func `An ordinary error of URLSession stays what it is`() {
        let lost = URLError(.networkConnectionLost, userInfo: ["Key": "value"])
        let failure = URLError(session: lost, url: AppleSession.url, proxy: nil, policy: .apple)
        #expect(failure.code == .networkConnectionLost && failure.errorUserInfo["Key"] as? String == "value")
        #expect(failure.errorUserInfo[NSUnderlyingErrorKey] == nil)
        #expect(error("Foreign", 1).code == .unknown)
    }
}
