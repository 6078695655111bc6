/// The last processor of an endpoint's request. It parses the response, and tells which endpoint the request is of.
struct EndpointParser: ResponseProcessor, HookStandIn {
    let endpoint: any Endpoint
    /// Parses a response for the operation with this id.
    let parse: @Sendable (Response, RequestID) throws -> Void

    var userType: Any.Type { type(of: endpoint) }

    func process(_ response: Response, in context: AttemptContext) throws -> Response {
        try parse(response, context.operationID)
        return response
    }
}
