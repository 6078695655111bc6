import Foundation

/// Bridging to `NSError`, for logs, Objective-C and `error as NSError`.
extension NetworkError: CustomNSError {
    /// The domain `NetworkQueueKit.NetworkError`.
    public static var errorDomain: String { "NetworkQueueKit.NetworkError" }

    /// ``errorDescription`` alone, which Foundation on Linux does not take over by itself.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? ""] }

    /// The number of ``code``, which is stable across versions.
    ///
    /// | code | number | code | number |
    /// |---|---|---|---|
    /// | `.httpStatus` | the status | `.badServerResponse` | 1012 |
    /// | `.unknown` | 1000 | `.validation` | 1013 |
    /// | `.cancelled` | 1001 | `.processing` | 1014 |
    /// | `.timedOut` | 1002 | `.fileSystem` | 1015 |
    /// | `.cannotFindHost` | 1003 | `.bodyUnavailable` | 1016 |
    /// | `.cannotConnectToHost` | 1004 | `.responseTooLarge` | 1017 |
    /// | `.connectionLost` | 1005 | `.authenticationRequired` | 1018 |
    /// | `.tlsFailure` | 1006 | `.unsupportedConfiguration` | 1019 |
    /// | `.badURL` | 1007 | `.contentMismatch` | 1020 |
    /// | `.unsupportedScheme` | 1008 | `.resourceShortage` | 1021 |
    /// | `.adapting` | 1009 | `.earlierStageFailed` | 1022 |
    /// | `.malformedRequest` | 1010 | `.insufficientSpace` | 1023 |
    /// | `.tooManyRedirects` | 1011 | | |
    public var errorCode: Int {
        switch code {
        case .httpStatus(let status): status
        case .unknown: 1000
        case .cancelled: 1001
        case .timedOut: 1002
        case .cannotFindHost: 1003
        case .cannotConnectToHost: 1004
        case .connectionLost: 1005
        case .tlsFailure: 1006
        case .badURL: 1007
        case .unsupportedScheme: 1008
        case .adapting: 1009
        case .malformedRequest: 1010
        case .tooManyRedirects: 1011
        case .badServerResponse: 1012
        case .validation: 1013
        case .processing: 1014
        case .fileSystem: 1015
        case .bodyUnavailable: 1016
        case .responseTooLarge: 1017
        case .authenticationRequired: 1018
        case .unsupportedConfiguration: 1019
        case .contentMismatch: 1020
        case .resourceShortage: 1021
        case .earlierStageFailed: 1022
        case .insufficientSpace: 1023
        }
    }
}
