import NetworkQueueKit
import Testing

/// The transports that the conformance suite runs against.
enum TransportKind: String, CaseIterable, CustomTestStringConvertible {
    #if canImport(Glibc)
        case curl = "CurlTransport"
    #endif
    case urlSession = "URLSessionTransport"

    var testDescription: String { rawValue }

    /// The transports that survive what `limitation` is about.
    static func surviving(_ limitation: KnownLimitation) -> [TransportKind] {
        allCases.filter { !$0.has(limitation) }
    }

    func makeTransport(_ configuration: TransportConfiguration = .patient) throws -> any Transport {
        switch self {
        #if canImport(Glibc)
            case .curl: try #require(CurlTransport(configuration: configuration))
        #endif
        case .urlSession: URLSessionTransport(configuration: configuration)
        }
    }
}
