#if canImport(Glibc)
    import Foundation
    import NetworkQueueKit
    import Testing

    extension TestAuthority {
        /// Trusts this authority alone.
        var configuration: TransportConfiguration { .patient(trusting: certificate) }
    }

    extension TransportConfiguration {
        /// Runs a GET to its end, over a transport of its own.
        func get(_ url: URL) async throws -> RequestOperation {
            let operation = RequestQueue(transport: try DefaultTransport.make(self)).add(url)
            _ = try? await operation.response()
            return operation
        }

        /// Runs a GET that is to fail for TLS; returns the error's text behind what they all begin with.
        func failure(
            _ url: URL, code: URLError.Code, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> String {
            try await get(url).tlsFailure(code: code, sourceLocation: sourceLocation)
        }
    }

    extension RequestOperation {
        /// The text of its TLS failure, behind what they all begin with.
        func tlsFailure(code: URLError.Code, sourceLocation: SourceLocation = #_sourceLocation) -> String {
            #expect(error?.code == .tlsFailure, sourceLocation: sourceLocation)
            #expect((error?.underlying as? URLError)?.code == code, sourceLocation: sourceLocation)
            #expect(attempts == 1, sourceLocation: sourceLocation)
            let text = error?.description ?? "no error"
            let start = "Could not make a secure connection to \(error?.address ?? ""): "
            #expect(text.hasPrefix(start), "\(text)", sourceLocation: sourceLocation)
            return String(text.dropFirst(start.count))
        }
    }
#endif
