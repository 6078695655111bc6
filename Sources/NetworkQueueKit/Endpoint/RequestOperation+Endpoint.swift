extension RequestOperation {
    /// The endpoint that the operation runs; `nil` where it was made from a request.
    ///
    /// With it requests can be told apart by what they are for, also by a protocol of your own:
    /// `queue.requests.filter { $0.endpoint is any NotesEndpoint }`.
    public var endpoint: (any Endpoint)? {
        guard request.hasProcessors, let parser = request.processors.last as? EndpointParser else { return nil }
        return parser.endpoint
    }
}
