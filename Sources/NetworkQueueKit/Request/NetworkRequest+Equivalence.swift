import Foundation

extension NetworkRequest {
    /// The number of bytes hashed at each end of a longer body.
    private static var hashedLength: Int { 4096 }

    /// Whether both requests ask for the same, store it in the same place, and belong to the same type of endpoint.
    func isEquivalent(to other: NetworkRequest) -> Bool {
        sendsSame(as: other) && sizeProbe == other.sizeProbe && body == other.body
            && destination == other.destination
            && expectedChecksum == other.expectedChecksum && acceptsCompressed == other.acceptsCompressed
            && usesSuggestedFileName == other.usesSuggestedFileName && mirrors == other.mirrors
            && (credential?.user).equals(bytesOf: other.credential?.user)
            && (credential?.password).equals(bytesOf: other.credential?.password)
            && sendsCredentialUnasked == other.sendsCredentialUnasked
            && endpointType == other.endpointType
    }

    /// The type of the endpoint that made the request.
    private var endpointType: ObjectIdentifier? {
        (processors.last as? any HookWrapper).map { ObjectIdentifier($0.userType) }
    }

    /// Whether both send the same request, wherever the response goes.
    func sendsSame(as other: NetworkRequest) -> Bool {
        url == other.url && method.equals(bytesOf: other.method) && idleTimeout == other.idleTimeout
            && totalTimeout == other.totalTimeout && minBytesPerSecond == other.minBytesPerSecond
            && uploadCondition == other.uploadCondition && uploadProtocol == other.uploadProtocol
            && headers.hasSameFields(as: other.headers)
            && foundation?.httpBody == other.foundation?.httpBody
    }

    /// Equal for equivalent requests, and different for most others, even if they differ only in their range, body or
    /// destination: a queue may hold thousands of those for one URL.
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

    /// Hashes the length and both ends of the body, since `Data` hashes only its first 80 bytes.
    private static func combine(_ content: Data, into hasher: inout Hasher) {
        hasher.combine(content.count)
        content.prefix(hashedLength).withUnsafeBytes { hasher.combine(bytes: $0) }
        content.dropFirst(hashedLength).suffix(hashedLength).withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension HTTPHeaders {
    /// The values of the fields, grouped by lowercased name.
    fileprivate var byName: [ByteText: [ByteText]] {
        reduce(into: [:]) { $0[ByteText($1.name.utf8.lowercasedText), default: []].append(ByteText($1.value)) }
    }

    /// Whether both have the same fields. The order of fields with different names is ignored.
    fileprivate func hasSameFields(as other: HTTPHeaders) -> Bool {
        self == other
            || suppressedNames == other.suppressedNames && !isEmpty && !other.isEmpty && byName == other.byName
    }
}
