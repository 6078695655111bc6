#if canImport(Glibc)
    import Foundation
    import NetworkQueueKit
    import TestSupport
    import Testing

    /// Requests over a transport that trusts one authority alone.
    struct TLSRig {
        let authority: TestAuthority
        var configuration = TransportConfiguration()

        init() throws {
            authority = try TestAuthority()
            configuration.idleTimeout = .seconds(600)
            configuration.trustedCertificatesFile = authority.certificate
        }

        /// Runs a GET to its end.
        func get(_ url: URL) async throws -> RequestOperation {
            let operation = RequestQueue(transport: try DefaultTransport.make(configuration)).add(url)
            _ = try? await operation.response()
            return operation
        }

        /// Runs a GET that is to fail for TLS; returns the error's text behind what they all begin with.
        func failure(
            _ url: URL, code: URLError.Code, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> String {
            Self.reason(of: try await get(url), code: code, sourceLocation: sourceLocation)
        }

        static func reason(
            of operation: RequestOperation, code: URLError.Code, sourceLocation: SourceLocation = #_sourceLocation
        ) -> String {
            let error = operation.error
            #expect(error?.code == .tlsFailure, sourceLocation: sourceLocation)
            #expect((error?.underlying as? URLError)?.code == code, sourceLocation: sourceLocation)
            #expect(operation.attempts == 1, sourceLocation: sourceLocation)
            let text = error?.description ?? "no error"
            let start = "Could not make a secure connection to \(operation.error?.address ?? ""): "
            #expect(text.hasPrefix(start), "\(text)", sourceLocation: sourceLocation)
            return String(text.dropFirst(start.count))
        }
    }
#endif
