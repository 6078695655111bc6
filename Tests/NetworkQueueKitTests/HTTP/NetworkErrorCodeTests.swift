import Foundation
import Testing

@testable import NetworkQueueKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct NetworkErrorCodeTests {
    private static let codes: [(URLError.Code, NetworkError.Code)] = [
        (.cancelled, .cancelled), (.userCancelledAuthentication, .cancelled), (.timedOut, .timedOut),
        (.cannotFindHost, .cannotFindHost), (.dnsLookupFailed, .cannotFindHost),
        (.cannotConnectToHost, .cannotConnectToHost), (.notConnectedToInternet, .cannotConnectToHost),
        (.networkConnectionLost, .connectionLost), (.secureConnectionFailed, .tlsFailure),
        (.serverCertificateUntrusted, .tlsFailure), (.serverCertificateHasBadDate, .tlsFailure),
        (.serverCertificateNotYetValid, .tlsFailure), (.serverCertificateHasUnknownRoot, .tlsFailure),
        (.clientCertificateRejected, .tlsFailure), (.clientCertificateRequired, .tlsFailure), (.badURL, .badURL),
        (.unsupportedURL, .unsupportedScheme), (.httpTooManyRedirects, .tooManyRedirects),
        (.badServerResponse, .badServerResponse), (.cannotParseResponse, .badServerResponse),
        (.cannotDecodeContentData, .badServerResponse), (.dataLengthExceedsMaximum, .responseTooLarge),
        (.requestBodyStreamExhausted, .bodyUnavailable), (.cannotWriteToFile, .fileSystem),
        (.userAuthenticationRequired, .authenticationRequired), (.unknown, .unknown), (.resourceUnavailable, .unknown),
    ]

    @Test(arguments: codes)
    func `every failure of a transport has its code, and stays beneath`(
        code: URLError.Code, expected: NetworkError.Code
    ) {
        #expect(NetworkError.Code(code) == expected)
        let error = NetworkError(URLError(code))
        #expect(error.code == expected)
        #expect((error.underlying as? URLError)?.code == code)
        #expect(error.isCancellation == (expected == .cancelled))
    }

    @Test func `a cancellation has Foundation's beneath`() {
        #expect(NetworkError.cancelled.isCancellation)
        #expect((NetworkError.cancelled.underlying as? URLError)?.code == .cancelled)
    }
}
