import Foundation

/// What a size depends on: downloads with equal keys are asked for once.
struct SizingKey: Hashable {
    private let url: URL
    private let headers: HTTPHeaders
    private let user: String?
    private let password: String?
    private let adapters: [AnyHashable]

    /// `nil` where the size is not worth asking for: it is known, or a HEAD could not tell it.
    ///
    /// - Parameter number: one of its own for each request.
    init?(_ request: NetworkRequest, number: Int) {
        guard Self.isWorthAsking(of: request) else { return nil }
        url = request.url
        headers = request.headers
        user = request.credential?.user
        password = request.credential?.password
        adapters = request.adapters.map { Self.identity(of: $0, number: number) }
    }

    /// Whether a HEAD may tell a size that is not known.
    static func isWorthAsking(of request: NetworkRequest) -> Bool {
        guard request.expectedDownloadSize == nil, request.body == nil else { return false }
        // Of a part, HEAD cannot tell the size.
        return request.method == "GET" && !request.hasBody && !request.lacksURL && !request.headers.contains("Range")
    }

    /// Equal adapters change requests in the same way. Those that cannot be compared are taken to differ.
    private static func identity(of adapter: any RequestAdapter, number: Int) -> AnyHashable {
        if let adapter = adapter as? any Hashable { return AnyHashable(adapter) }
        if type(of: adapter) is AnyClass { return ObjectIdentifier(adapter as AnyObject) }
        return number
    }
}
