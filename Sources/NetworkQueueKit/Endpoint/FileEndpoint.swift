import Foundation

/// An endpoint that saves the content of another endpoint to a file instead of parsing it. Its value is the file's URL.
///
/// ```swift
/// let file = try await queue.send(report.saved(to: url))
/// ```
///
/// It has a type of its own, so `queue.operations(of: Report.self)` does not find it. Failures are parsed and handled
/// by the other endpoint.
public struct FileEndpoint<Base: Endpoint>: Endpoint {
    /// The endpoint whose content is saved.
    public let base: Base
    /// The place where the content is saved.
    public let destination: Destination

    init(base: Base, destination: Destination) {
        self.base = base
        self.destination = destination
    }

    /// The URL of the base endpoint.
    public var url: URL { base.url }
    /// The method of the base endpoint.
    public var method: String { base.method }
    /// The header fields of the base endpoint.
    public var headers: HTTPHeaders { base.headers }
    /// The content that the base endpoint sends.
    public var body: RequestBody? { get throws { try base.body } }

    /// Returns the request of the base endpoint, with the file as its destination.
    public func makeRequest() -> NetworkRequest {
        var request = base.makeRequest()
        request.destination = destination
        return request
    }

    /// Returns the file with the content. Its name may differ from the requested one; see
    /// ``Destination/ConflictPolicy/rename``.
    ///
    /// - Throws: `.fileSystem` if the response has no file.
    public func parse(_ response: Response) throws -> URL {
        guard let fileURL = response.fileURL else { throw NetworkError(.fileSystem, response: response) }
        return fileURL
    }

    /// Returns the base endpoint's conversion of the error.
    public func parseError(_ error: NetworkError) -> Base.Failure { base.parseError(error) }
    /// Lets the base endpoint handle the error.
    public func handle(error: Base.Failure) { base.handle(error: error) }
}

extension Endpoint {
    /// Returns this endpoint with the content of the response saved to a file.
    ///
    /// - Parameters:
    ///   - file: the file to write, as with ``Destination/file(_:onConflict:resumes:)``.
    ///   - policy: the rule for a file that already exists. Default `.fail`.
    ///   - resumes: whether to continue an interrupted download. Default `true`.
    public func saved(
        to file: URL, onConflict policy: Destination.ConflictPolicy = .fail, resumes: Bool = true
    ) -> FileEndpoint<Self> {
        FileEndpoint(base: self, destination: .file(file, onConflict: policy, resumes: resumes))
    }
}
