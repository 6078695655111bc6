import Foundation
import NetworkQueueKit
import Testing

/// The transports that the conformance suite runs against.
enum TransportKind: String, CaseIterable, CustomTestStringConvertible {
    #if canImport(Glibc)
        case curl = "CurlTransport"
    #endif
    case urlSession = "URLSessionTransport"

    /// The transport that queues have by default.
    static var `default`: TransportKind {
        #if canImport(Glibc)
            .curl
        #else
            .urlSession
        #endif
    }

    /// All of them, or the one that the environment variable `NETWORKQUEUEKIT_TEST_TRANSPORT` names.
    ///
    /// `CurlTransport` alone can be tested with versions of libcurl that FoundationNetworking, which loads the same
    /// file, does not survive.
    static let allCases: [TransportKind] = {
        #if canImport(Glibc)
            let all = [curl, urlSession]
        #else
            let all = [urlSession]
        #endif
        guard let name = ProcessInfo.processInfo.environment["NETWORKQUEUEKIT_TEST_TRANSPORT"] else { return all }
        guard let kind = TransportKind(rawValue: name) else { preconditionFailure("No transport is called \(name)") }
        return [kind]
    }()

    /// Whether tests of `URLSessionTransport` alone are to run.
    static var includesURLSession: Bool { allCases.contains(.urlSession) }

    var testDescription: String { rawValue }

    /// The transports that can be tested with whatever a server may send.
    static let forAnyResponse = allCases.filter { !$0.has(.endsTheProcess) }

    func makeTransport(_ configuration: TransportConfiguration = .patient) throws -> any Transport {
        switch self {
        #if canImport(Glibc)
            case .curl: try #require(CurlTransport(configuration: configuration))
        #endif
        case .urlSession: URLSessionTransport(configuration: configuration)
        }
    }
}
