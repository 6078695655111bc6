import Foundation
import Testing

@testable import NetworkQueueKit

struct NetworkErrorCodeTests {
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
        (.userAuthenticationRequired, .authenticationRequired), (.unknown, .unknown),
        (.resourceUnavailable, .resourceShortage),
    ]

    @Test(arguments: codes)
    func `Every failure of a transport has its code, and stays as the underlying error`(
        code: URLError.Code, expected: NetworkError.Code
    ) {
        #expect(NetworkError.Code(code) == expected)
        let error = NetworkError(URLError(code))
        #expect(error.code == expected)
        #expect((error.underlying as? URLError)?.code == code)
        #expect(error.isCancellation == (expected == .cancelled))
    }

    /// The numbers are a contract: programs keep them in logs and compare them.
    private static let numbers: [(NetworkError.Code, Int)] = [
        (.httpStatus(404), 404), (.httpStatus(503), 503), (.unknown, 1000), (.cancelled, 1001), (.timedOut, 1002),
        (.cannotFindHost, 1003), (.cannotConnectToHost, 1004), (.connectionLost, 1005), (.tlsFailure, 1006),
        (.badURL, 1007), (.unsupportedScheme, 1008), (.adapting, 1009), (.malformedRequest, 1010),
        (.tooManyRedirects, 1011), (.badServerResponse, 1012), (.validation, 1013), (.processing, 1014),
        (.fileSystem, 1015), (.bodyUnavailable, 1016), (.responseTooLarge, 1017), (.authenticationRequired, 1018),
        (.unsupportedConfiguration, 1019), (.contentMismatch, 1020), (.resourceShortage, 1021),
        (.earlierStageFailed, 1022),
    ]

    // DESIGN 3.7; before, every failure had the same number.
    @Test func `Every code has a number of its own as an NSError`() {
        for (code, number) in Self.numbers {
            let error = NetworkError(code, url: URL(string: "http://host.test/a"))
            let bridged = error as NSError
            #expect(bridged.domain == "NetworkQueueKit.NetworkError" && bridged.code == number, "\(code)")
            #expect(bridged.localizedDescription == error.description)
            #expect(error.localizedDescription == error.description)
        }
        #expect(Set(Self.numbers.map(\.1)).count == Self.numbers.count)
    }

    @Test func `A cancellation has Foundation's as its underlying error`() {
        #expect(NetworkError.cancelled.isCancellation)
        #expect((NetworkError.cancelled.underlying as? URLError)?.code == .cancelled)
    }
}
