import Foundation

/// An endpoint whose value is decoded from JSON.
///
/// ```swift
/// struct AllNotes: JSONEndpoint {
///     typealias Value = [Note]
///     let url: URL
/// }
/// ```
///
/// Content that cannot be decoded fails the operation with `.processing`, with the `DecodingError` as `underlying`. The
/// error's description includes the location in the JSON, such as `notes[2].title`.
public protocol JSONEndpoint: Endpoint where Value: Decodable {
    /// The decoder for the content, read once per response. Default: a `JSONDecoder` with its default settings.
    var decoder: JSONDecoder { get }
}

extension JSONEndpoint {
    /// A `JSONDecoder` with its default settings.
    public var decoder: JSONDecoder { JSONDecoder() }

    /// Returns ``Endpoint/standardRequest()`` with `Accept: application/json`, unless the header fields have an
    /// `Accept` field.
    public func makeRequest() -> NetworkRequest {
        var request = standardRequest()
        if request.headers.mayGain("Accept") { request.headers["Accept"] = "application/json" }
        return request
    }

    /// Decodes the content of the response; an optional `Value` is `nil` if there is no content.
    ///
    /// - Throws: the error of the decoder.
    public func parse(_ response: Response) throws -> Value {
        try decoder.value(Value.self, of: response.data)
    }
}
