import Foundation

/// The outcome of a run as data: what a ``NetworkQueue/Summary`` tells, without operations and content.
///
/// ```swift
/// let summary = await queue.run()
/// try JSONEncoder().encode(summary.record).write(to: file)
/// // in another process
/// let record = try JSONDecoder().decode(SummaryRecord.self, from: Data(contentsOf: file))
/// queue.add(contentsOf: record.failures.map(\.record))
/// ```
///
/// Keys are the names of the properties, and the duration is a number of seconds. An encoded ``NetworkQueue/Summary``
/// has the same form.
public struct SummaryRecord: Sendable, Hashable, Codable {
    /// A request that failed.
    public struct Failure: Sendable, Hashable, Codable {
        /// The name of the error's ``NetworkError/Code-swift.enum``, such as `timedOut` or `httpStatus`.
        public var code: String
        /// The error in words, without credentials.
        public var text: String
        /// The status of the response; `nil` if none arrived.
        public var status: Int?
        /// The URL of the request without user information, query and fragment; `nil` if it has none.
        public var url: URL?
        /// The request, for another run. Its URL has the query, which may be a secret; credentials are left out.
        public var record: NetworkRequest.Record
    }

    /// The number of operations by outcome.
    public var counts: QueueProgress.Counts
    /// The operations that failed, in the order of their failures.
    public var failures: [Failure]
    /// The time from `go()`, or from the first operation added after a drain, to the drain.
    public var duration: Duration
    /// The bytes of content that successful operations received over the wire in this run.
    public var bytesReceived: Int64
    /// The bytes of content that successful operations sent.
    public var bytesSent: Int64
    /// The errors of the disks that did not take all files to flush, in words.
    public var flushFailures: [String]

    private enum CodingKeys: CodingKey {
        case counts, failures, duration, bytesReceived, bytesSent, flushFailures
    }

    init(_ summary: NetworkQueue.Summary) {
        counts = summary.counts
        failures = summary.failures.map { Failure($0) }
        duration = summary.duration
        bytesReceived = summary.bytesReceived
        bytesSent = summary.bytesSent
        flushFailures = summary.flushFailures.map(\.localizedDescription)
    }

    /// Decodes a record. Throws a `DecodingError` if a value is missing, has another type or is not finite.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        counts = try container.decode(QueueProgress.Counts.self, forKey: .counts)
        failures = try container.decode([Failure].self, forKey: .failures)
        duration = .bounded(seconds: try container.decodeFinite(forKey: .duration))
        bytesReceived = try container.decode(Int64.self, forKey: .bytesReceived)
        bytesSent = try container.decode(Int64.self, forKey: .bytesSent)
        flushFailures = try container.decode([String].self, forKey: .flushFailures)
    }

    /// Encodes the record.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(counts, forKey: .counts)
        try container.encode(failures, forKey: .failures)
        try container.encodeFinite(duration.seconds, forKey: .duration)
        try container.encode(bytesReceived, forKey: .bytesReceived)
        try container.encode(bytesSent, forKey: .bytesSent)
        try container.encode(flushFailures, forKey: .flushFailures)
    }
}

extension SummaryRecord.Failure {
    fileprivate init(_ failure: NetworkQueue.Summary.Failure) {
        let request = failure.operation.request
        code = failure.error.code.name
        text = failure.error.localizedDescription
        status = failure.error.response?.head.statusCode
        url = request.lacksURL ? nil : request.url.withoutUserInformation.withoutQuery
        record = request.record
    }
}

extension NetworkError.Code {
    /// The name of the case, without what it carries.
    fileprivate var name: String { String(String(describing: self).prefix { $0 != "(" }) }
}

extension URL {
    fileprivate var withoutQuery: URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        parts.query = nil
        parts.fragment = nil
        return parts.url ?? self
    }
}

extension NetworkQueue.Summary: Encodable {
    /// The summary as data.
    public var record: SummaryRecord { SummaryRecord(self) }

    /// Encodes the ``record``.
    public func encode(to encoder: any Encoder) throws { try record.encode(to: encoder) }
}
