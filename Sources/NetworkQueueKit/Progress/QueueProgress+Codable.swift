/// Progress as data: for a log, another process, or an interface in another language.
///
/// Keys are the names of the properties. Unknown values are absent, and a time is a number of seconds. Numbers that are
/// not finite can be neither encoded nor decoded. A phase is an object:
///
/// ```json
/// {"phase":{"phase":"sizing","completed":3,"total":8},"fractionCompleted":0,
///  "counts":{"total":8,"waiting":8,"running":0,"paused":0,"retrying":0,"finished":0,"failed":0,"cancelled":0},
///  "download":{"transferred":0,"isEstimated":false},"upload":{"transferred":0,"isEstimated":false},
///  "sizing":{"completed":3,"total":8}}
/// ```
extension QueueProgress: Codable {
    private enum CodingKeys: CodingKey {
        case phase, sizing, counts, download, upload, fractionCompleted, bytesPerSecond, estimatedTimeRemaining
    }

    /// Decodes a snapshot. Throws a `DecodingError` if a value is missing, has another type or is not finite.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        phase = try container.decode(Phase.self, forKey: .phase)
        sizing = try container.decodeIfPresent(Sizing.self, forKey: .sizing)
        counts = try container.decode(Counts.self, forKey: .counts)
        download = try container.decode(Bytes.self, forKey: .download)
        upload = try container.decode(Bytes.self, forKey: .upload)
        fractionCompleted = try container.decodeFinite(forKey: .fractionCompleted)
        bytesPerSecond = try container.decodeFiniteIfPresent(forKey: .bytesPerSecond)
        estimatedTimeRemaining = try container.decodeSecondsIfPresent(forKey: .estimatedTimeRemaining)
    }

    /// Encodes the snapshot. Throws an `EncodingError` if a number is not finite.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(phase, forKey: .phase)
        try container.encodeIfPresent(sizing, forKey: .sizing)
        try container.encode(counts, forKey: .counts)
        try container.encode(download, forKey: .download)
        try container.encode(upload, forKey: .upload)
        try container.encodeFinite(fractionCompleted, forKey: .fractionCompleted)
        try container.encodeFinite(bytesPerSecond, forKey: .bytesPerSecond)
        try container.encodeFinite(estimatedTimeRemaining?.seconds, forKey: .estimatedTimeRemaining)
    }
}

extension QueueProgress.Phase: Codable {
    private enum CodingKeys: CodingKey {
        case phase, completed, total
    }

    private enum Name: String, Codable {
        case idle, sizing, transferring, finished
    }

    /// Decodes a phase.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try container.decode(Name.self, forKey: .phase) {
            case .idle: .idle
            case .sizing:
                .sizing(
                    completed: try container.decode(Int.self, forKey: .completed),
                    total: try container.decode(Int.self, forKey: .total))
            case .transferring: .transferring
            case .finished: .finished
            }
    }

    /// Encodes the phase as an object with its name and, in sizing, the counts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .idle: try container.encode(Name.idle, forKey: .phase)
        case .sizing(let completed, let total):
            try container.encode(Name.sizing, forKey: .phase)
            try container.encode(completed, forKey: .completed)
            try container.encode(total, forKey: .total)
        case .transferring: try container.encode(Name.transferring, forKey: .phase)
        case .finished: try container.encode(Name.finished, forKey: .phase)
        }
    }
}

/// Numbers that every reader of JSON understands.
extension KeyedDecodingContainer {
    func decodeFinite(forKey key: Key) throws -> Double {
        let number = try decode(Double.self, forKey: key)
        guard number.isFinite else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "The number is not finite.")
        }
        return number
    }

    func decodeFiniteIfPresent(forKey key: Key) throws -> Double? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decodeFinite(forKey: key)
    }

    func decodeSecondsIfPresent(forKey key: Key) throws -> Duration? {
        try decodeFiniteIfPresent(forKey: key).map { .bounded(seconds: $0) }
    }
}

extension KeyedEncodingContainer {
    mutating func encodeFinite(_ number: Double?, forKey key: Key) throws {
        guard let number else { return }
        guard number.isFinite else {
            let context = EncodingError.Context(
                codingPath: codingPath + [key], debugDescription: "The number is not finite.")
            throw EncodingError.invalidValue(number, context)
        }
        try encode(number, forKey: key)
    }
}
