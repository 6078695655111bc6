import Foundation

extension NetworkRequest {
    /// The encodable properties of a request, for example to save unfinished requests across launches.
    ///
    /// ```swift
    /// try JSONEncoder().encode(queue.unfinishedRecords).write(to: file)
    /// // after a relaunch
    /// let records = try JSONDecoder().decode([NetworkRequest.Record].self, from: Data(contentsOf: file))
    /// queue.add(contentsOf: records)
    /// ```
    ///
    /// Anything that cannot be encoded is listed in ``omissions``. Credentials are never included.
    public struct Record: Sendable, Hashable, Codable {
        /// The names of properties that the record could not include, such as `adapters`; empty if it is complete.
        ///
        /// Omitted are closures and objects (`adapters`, `processors`, `retryDecider`, `freshURL` with its statuses,
        /// `userInfo`, a sink, a stream, a custom validation, triggers of a retry policy), settings of a Foundation
        /// request that have no property here (`urlRequest`), content in memory of more than 1 MiB (`body`), and
        /// secrets: `credential`, the user name and password in `url` and `mirrors`, and the values of header fields
        /// such as `Authorization` (`headers`).
        public private(set) var omissions: [String] = []
        /// Whether the operation was paused by ``RequestOperation/pause()`` when ``RequestQueueing/unfinishedRecords``
        /// made the record. Default `false`.
        ///
        /// `add(contentsOf:)` adds such a record as a paused operation.
        public var isPaused: Bool {
            get { paused ?? false }
            set { paused = newValue ? true : nil }
        }

        /// Stored only if `true`; optional, because older records lack this key.
        private var paused: Bool?
        fileprivate let url: URL
        fileprivate let method: String?
        fileprivate var headers: [Field] = []
        /// `nil` if there are none, as in older records.
        fileprivate var suppressedHeaders: [String]?
        fileprivate var body: Body?
        fileprivate var destination = Place.memory
        fileprivate var idleTimeout: Duration?
        fileprivate var totalTimeout: Duration?
        fileprivate var priority: Int
        fileprivate var expectedDownloadSize: Int64?
        fileprivate var estimatedDownloadSize: Int64?
        fileprivate var expectedChecksum: Checksum?
        fileprivate var sendsCredentialUnasked: Bool
        fileprivate var acceptsCompressed: Bool
        fileprivate var maxDecodedSize: Int64
        fileprivate var usesSuggestedFileName: Bool
        fileprivate var validation: [Check]?
        fileprivate var retryPolicy: Retry?
        fileprivate var resumeKey: String?
        fileprivate var splitting: Splitting?
        fileprivate var mirrors: [URL]?
        fileprivate var tag: String?
        /// `nil` for stage 0, as in older records.
        fileprivate var stage: Int?
        fileprivate var group: String?
        // These are `nil` in older records.
        fileprivate var minBytesPerSecond: Int?
        /// `nil` for `.always`, too.
        fileprivate var uploadCondition: UploadCondition?
        /// `nil` for `.put`, too.
        fileprivate var uploadProtocol: UploadProtocol?

        fileprivate struct Field: Hashable, Codable {
            let name: String
            let value: String
        }

        fileprivate enum Place: Hashable, Codable {
            case memory, discard
            case file(URL, onConflict: Destination.ConflictPolicy, resumes: Bool)
        }

        fileprivate enum Body: Hashable, Codable {
            case data(Data, contentType: String?)
            case file(URL, contentType: String?)
            case form([Part])
        }

        fileprivate struct Part: Hashable, Codable {
            let name: String
            let fileName: String?
            let contentType: String?
            let data: Data?
            let file: URL?
        }

        enum Check: Hashable, Codable {
            case successStatus
            case statusCodes(Set<Int>)
            case contentTypes([String])
        }

        fileprivate struct Retry: Hashable, Codable {
            let maxRetries: Int
            let backoff: Backoff
            let methods: Set<String>
            let errorCodes: Set<Int>
            let statusCodes: Set<Int>
            let honorsRetryAfter: Bool
            let holdsHostAfterRetryAfter: Bool
            let maxRetryAfter: Duration
            let outageTolerance: Duration?
            let hasStandardTriggers: Bool
        }
    }

    /// The encodable properties of the request.
    public var record: Record { Record(self) }

    /// Creates a request from a record, without the properties in the record's ``Record/omissions``. Durations of more
    /// than about 30 years are shortened to that.
    ///
    /// Its download may have been finished after the record was made. Therefore a file at the destination does not fail
    /// the request, under `.fail` too, if it is current as with `.keepIfCurrent`, or if it has the same content.
    public init(_ record: Record) {
        self.init(record.url, method: record.method)
        for field in record.headers { headers.append(name: field.name, value: field.value) }
        for name in record.suppressedHeaders ?? [] { headers.suppress(name) }
        switch record.body {
        case .data(let data, let type): body = RequestBody(content: .data(data), contentType: type)
        case .file(let file, let type): body = RequestBody(content: .file(file), contentType: type)
        case .form(let parts): body = .multipart(MultipartForm(parts))
        case nil: break
        }
        destination =
            switch record.destination {
            case .memory: .memory
            case .discard: .discard
            case .file(let file, let policy, let resumes): .file(file, onConflict: policy, resumes: resumes)
            }
        idleTimeout = record.idleTimeout?.bounded
        totalTimeout = record.totalTimeout?.bounded
        priority = Priority(rawValue: record.priority) ?? .normal
        expectedDownloadSize = record.expectedDownloadSize
        estimatedDownloadSize = record.estimatedDownloadSize
        expectedChecksum = record.expectedChecksum
        sendsCredentialUnasked = record.sendsCredentialUnasked
        acceptsCompressed = record.acceptsCompressed
        maxDecodedSize = record.maxDecodedSize
        usesSuggestedFileName = record.usesSuggestedFileName
        validation = record.validation.map { ResponseValidation($0) }
        retryPolicy = record.retryPolicy.map { RetryPolicy($0) }
        resumeKey = record.resumeKey
        splitting = record.splitting.map { Splitting(maxParts: $0.maxParts, minPartSize: $0.minPartSize) }
        mirrors = record.mirrors ?? []
        tag = record.tag
        stage = record.stage ?? 0
        group = record.group
        minBytesPerSecond = record.minBytesPerSecond
        uploadCondition = record.uploadCondition ?? .always
        uploadProtocol = record.uploadProtocol ?? .put
        isRestored = true
    }
}

extension NetworkRequest.Record {
    /// The size limit for content in memory, in bytes.
    private static let maximumContentSize = 1024 * 1024

    fileprivate init(_ request: NetworkRequest) {
        url = request.url.withoutUserInformation
        method = request.ownMethod
        priority = request.priority.rawValue
        idleTimeout = request.idleTimeout
        totalTimeout = request.totalTimeout
        expectedDownloadSize = request.expectedDownloadSize
        estimatedDownloadSize = request.estimatedDownloadSize
        expectedChecksum = request.expectedChecksum
        sendsCredentialUnasked = request.sendsCredentialUnasked
        acceptsCompressed = request.acceptsCompressed
        maxDecodedSize = request.maxDecodedSize
        usesSuggestedFileName = request.usesSuggestedFileName
        resumeKey = request.resumeKey
        splitting = request.splitting
        tag = request.tag
        if request.stage != 0 { stage = request.stage }
        group = request.group
        minBytesPerSecond = request.minBytesPerSecond
        if request.uploadCondition != .always { uploadCondition = request.uploadCondition }
        if request.uploadProtocol != .put { uploadProtocol = request.uploadProtocol }
        if url != request.url { omissions.append("url") }
        take(mirrors: request.mirrors)
        takeHeaders(of: request)
        take(request.body ?? request.foundation?.httpBody.map { .data($0) })
        take(request.destination)
        if let checks = request.validation?.recorded {
            if checks.contains(nil) { omissions.append("validation") } else { validation = checks.compactMap(\.self) }
        }
        if let policy = request.retryPolicy {
            retryPolicy = Retry(policy)
            let isWhole = policy.earlyRetryTriggers.isEmpty || policy.hasStandardTriggers
            if !isWhole { omissions.append("retryPolicy") }
        }
        let objects = [
            ("retryDecider", request.retryDecider != nil), ("freshURL", request.freshURL != nil),
            ("adapters", !request.adapters.isEmpty),
            ("processors", !request.processors.isEmpty), ("credential", request.credential != nil),
            ("userInfo", !request.userInfo.isEmpty), ("urlRequest", request.foundation != nil),
        ]
        omissions += objects.filter(\.1).map(\.0)
    }

    private mutating func takeHeaders(of request: NetworkRequest) {
        let fields = Array(request.headers)
        headers = fields.filter { $0.printableValue == $0.value }.map { Field(name: $0.name, value: $0.value) }
        let suppressed = request.headers.suppressedNames
        if !suppressed.isEmpty { suppressedHeaders = suppressed }
        if headers.count < fields.count { omissions.append("headers") }
    }

    private mutating func take(_ content: RequestBody?) {
        switch content?.content {
        case nil: break
        case .data(let data) where data.count <= Self.maximumContentSize:
            body = .data(data, contentType: content?.contentType)
        case .file(let file): body = .file(file, contentType: content?.contentType)
        case .multipart(let form) where form.sizeInMemory <= Self.maximumContentSize:
            body = .form(form.parts.map { Part($0) })
        case .data, .multipart, .stream: omissions.append("body")
        }
    }

    private mutating func take(mirrors urls: [URL]) {
        guard !urls.isEmpty else { return }
        let known = urls.map(\.withoutUserInformation)
        mirrors = known
        if known != urls { omissions.append("mirrors") }
    }

    private mutating func take(_ place: Destination) {
        switch place {
        case .memory: break
        case .discard: destination = .discard
        case .file(let file, let policy, let resumes): destination = .file(file, onConflict: policy, resumes: resumes)
        case .sink: omissions.append("destination")
        }
    }
}

extension NetworkRequest.Record.Part {
    fileprivate init(_ part: MultipartForm.Part) {
        (name, fileName, contentType) = (part.name, part.fileName, part.contentType)
        switch part.content {
        case .data(let data): (self.data, file) = (data, nil)
        case .file(let file): (data, self.file) = (nil, file)
        }
    }
}

extension MultipartForm {
    fileprivate var sizeInMemory: Int {
        parts.reduce(0) { if case .data(let data) = $1.content { $0 + data.count } else { $0 } }
    }

    fileprivate init(_ record: [NetworkRequest.Record.Part]) {
        self.init(
            parts: record.map { part in
                Part(
                    name: part.name, fileName: part.fileName, contentType: part.contentType,
                    content: part.file.map { .file($0) } ?? .data(part.data ?? Data()))
            })
    }
}

extension NetworkRequest.Record.Retry {
    fileprivate init(_ policy: RetryPolicy) {
        self.init(
            maxRetries: policy.maxRetries, backoff: policy.backoff, methods: policy.methods,
            errorCodes: Set(policy.errorCodes.map(\.rawValue)), statusCodes: policy.statusCodes,
            honorsRetryAfter: policy.honorsRetryAfter, holdsHostAfterRetryAfter: policy.holdsHostAfterRetryAfter,
            maxRetryAfter: policy.maxRetryAfter, outageTolerance: policy.outageTolerance,
            hasStandardTriggers: policy.hasStandardTriggers)
    }
}

extension RetryPolicy {
    fileprivate var hasStandardTriggers: Bool {
        earlyRetryTriggers.map { ObjectIdentifier($0) }
            == RetryPolicy.standard.earlyRetryTriggers.map { ObjectIdentifier($0) }
    }

    fileprivate init(_ record: NetworkRequest.Record.Retry) {
        self.init(
            maxRetries: record.maxRetries, backoff: record.backoff, methods: record.methods,
            errorCodes: Set(record.errorCodes.compactMap { URLError.Code(rawValue: $0) }),
            statusCodes: record.statusCodes,
            earlyRetryTriggers: record.hasStandardTriggers ? RetryPolicy.standard.earlyRetryTriggers : [])
        honorsRetryAfter = record.honorsRetryAfter
        holdsHostAfterRetryAfter = record.holdsHostAfterRetryAfter
        maxRetryAfter = record.maxRetryAfter.bounded
        outageTolerance = record.outageTolerance?.bounded
    }
}
