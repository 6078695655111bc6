/// Progress as data, in the form of ``QueueProgress``: unknown values are absent, and a time is a number of seconds.
extension OperationProgress: Codable {
    private enum CodingKeys: CodingKey {
        case download, upload, fractionCompleted, bytesPerSecond, estimatedTimeRemaining
    }

    /// Decodes a snapshot. Throws a `DecodingError` if a value is missing, has another type or is not finite.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        download = try container.decode(QueueProgress.Bytes.self, forKey: .download)
        upload = try container.decode(QueueProgress.Bytes.self, forKey: .upload)
        fractionCompleted = try container.decodeFiniteIfPresent(forKey: .fractionCompleted)
        bytesPerSecond = try container.decodeFiniteIfPresent(forKey: .bytesPerSecond)
        estimatedTimeRemaining = try container.decodeSecondsIfPresent(forKey: .estimatedTimeRemaining)
    }

    /// Encodes the snapshot. Throws an `EncodingError` if a number is not finite.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(download, forKey: .download)
        try container.encode(upload, forKey: .upload)
        try container.encodeFinite(fractionCompleted, forKey: .fractionCompleted)
        try container.encodeFinite(bytesPerSecond, forKey: .bytesPerSecond)
        try container.encodeFinite(estimatedTimeRemaining?.seconds, forKey: .estimatedTimeRemaining)
    }
}
