import Foundation

/// Another endpoint whose content is saved to a file in place of being parsed. Its value is the URL of the file.
///
///     let file = try await queue.send(report.saved(to: url))
///
/// It is an endpoint of a type of its own: `queue.operations(of: Report.self)` does not find it. A failure is that of
/// the endpoint it is made of, and is handled by it.
public struct FileEndpoint<Base: Endpoint>: Endpoint {
    /// The endpoint whose content is saved.
    public let base: Base
    /// Where the content goes.
    public let destination: Destination

    init(base: Base, destination: Destination) {
        self.base = base
        self.destination = destination
    }

    /// What is asked for.
    public var url: URL { base.url }
    /// The method of the request.
    public var method: String { base.method }
    /// The header fields of the request.
    public var headers: HTTPHeaders { base.headers }
    /// The content to send.
    public var body: RequestBody? { get throws { try base.body } }

    /// The request of the endpoint, with the file as its destination.
    public func makeRequest() -> NetworkRequest {
        var request = base.makeRequest()
        request.destination = destination
        return request
    }

    /// The file with the content, whose name may be another than asked for; see ``Destination/ConflictPolicy/unique``.
    ///
    /// - Throws: `.fileSystem` when the response has no file.
    public func parse(_ response: Response) throws -> URL {
        guard let fileURL = response.fileURL else { throw NetworkError(.fileSystem, response: response) }
        return fileURL
    }

    /// What the endpoint makes of the error.
    public func parseError(_ error: NetworkError) -> Base.Failure { base.parseError(error) }
    /// Has the endpoint handle the error.
    public func handle(error: Base.Failure) { base.handle(error: error) }
}

extension Endpoint {
    /// The same endpoint, with the content of the response saved to a file.
    ///
    /// - Parameters:
    ///   - file: where the content goes, as with ``Destination/file(_:onConflict:resumes:)``.
    ///   - policy: what happens when the file is there already. Default `.fail`.
    ///   - resumes: whether the part of an interrupted download is continued. Default `true`.
    public func saved(
        to file: URL, onConflict policy: Destination.ConflictPolicy = .fail, resumes: Bool = true
    ) -> FileEndpoint<Self> {
        FileEndpoint(base: self, destination: .file(file, onConflict: policy, resumes: resumes))
    }
}
