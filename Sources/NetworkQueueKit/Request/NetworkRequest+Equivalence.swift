import Foundation

extension NetworkRequest {
    /// Of a longer content, so much of the beginning and of the end goes into the hash.
    private static var hashedLength: Int { 4096 }

    /// Whether both ask for the same, put it in the same place, and have the same type of endpoint make something of
    /// it.
    func isEquivalent(to other: NetworkRequest) -> Bool {
        sendsSame(as: other) && sizeProbe == other.sizeProbe && body == other.body
            && destination == other.destination
            && expectedChecksum == other.expectedChecksum && acceptsCompressed == other.acceptsCompressed
            && usesSuggestedFileName == other.usesSuggestedFileName && mirrors == other.mirrors
            && credential?.user == other.credential?.user && credential?.password == other.credential?.password
            && sendsCredentialUnasked == other.sendsCredentialUnasked
            && endpointType == other.endpointType
    }

    /// The type of the endpoint that the request is of.
    private var endpointType: ObjectIdentifier? {
        (processors.last as? any HookWrapper).map { ObjectIdentifier($0.userType) }
    }

    /// Whether both are the same request, wherever its response goes.
    func sendsSame(as other: NetworkRequest) -> Bool {
        url == other.url && method == other.method && idleTimeout == other.idleTimeout
            && totalTimeout == other.totalTimeout
            && headers.hasSameFields(as: other.headers)
            && foundation?.httpBody == other.foundation?.httpBody
    }

    /// Equal for requests that ask for the same, and different for most others: also for those that differ in a range,
    /// in their content or in the file alone, of which there may be thousands for one URL.
    var equivalenceHash: UInt32 {
        var hasher = Hasher()
        hasher.combine(url.absoluteString)
        hasher.combine(method)
        if !headers.isEmpty { hasher.combine(headers.byName) }
        if let content = foundation?.httpBody { Self.combine(content, into: &hasher) }
        if case .data(let content)? = body?.content {
            Self.combine(content, into: &hasher)
        } else if body != nil {
            hasher.combine(body)
        }
        if case .file(let url, _, _) = destination { hasher.combine(url.absoluteString) }
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }

    /// `Data` itself would only give its first 80 bytes.
    private static func combine(_ content: Data, into hasher: inout Hasher) {
        hasher.combine(content.count)
        content.prefix(hashedLength).withUnsafeBytes { hasher.combine(bytes: $0) }
        content.dropFirst(hashedLength).suffix(hashedLength).withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension HTTPHeaders {
    /// The values by their names in lower case.
    fileprivate var byName: [String: [String]] {
        reduce(into: [:]) { $0[$1.name.utf8.lowercasedText, default: []].append($1.value) }
    }

    /// Whether both have the same fields; the order of those with different names does not count.
    fileprivate func hasSameFields(as other: HTTPHeaders) -> Bool {
        self == other || !isEmpty && !other.isEmpty && byName == other.byName
    }
}
