import Foundation

/// An endpoint whose value is decoded from JSON.
///
///     struct AllNotes: JSONEndpoint {
///         typealias Value = [Note]
///         let url: URL
///     }
///
/// Content that is not what is expected fails the operation with `.processing`, with the `DecodingError` beneath. The
/// error's description tells where in the JSON the fault is, such as `notes[2].title`.
public protocol JSONEndpoint: Endpoint where Value: Decodable {
    /// Decodes the content. Default: a `JSONDecoder` with its default settings. Asked for once for each response.
    var decoder: JSONDecoder { get }
}

extension JSONEndpoint {
    /// A decoder with its default settings.
    public var decoder: JSONDecoder { JSONDecoder() }

    /// The request that the properties describe, with an `Accept` field for JSON where the header fields have none.
    public func makeRequest() -> NetworkRequest {
        var request = standardRequest()
        if request.headers["Accept"] == nil { request.headers["Accept"] = "application/json" }
        return request
    }

    /// Decodes the content of the response; an optional `Value` is `nil` if there is none.
    ///
    /// - Throws: what the decoder throws.
    public func parse(_ response: Response) throws -> Value {
        try decoder.value(Value.self, of: response.data)
    }
}
