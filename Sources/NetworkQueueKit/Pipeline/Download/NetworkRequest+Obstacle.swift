import Foundation

extension NetworkRequest {
    /// What makes the request fail whatever the server answers; `nil` when nothing is known of.
    ///
    /// It may ask the file system, once: not to be called under a lock.
    var obstacle: NetworkError? {
        if let expectedChecksum, !expectedChecksum.isSound {
            return NetworkError(.validation, underlying: ContentMismatch.malformedChecksum(expectedChecksum))
        }
        guard case .file(let url, onConflict: .fail, resumes: _) = destination, !isConditional, !usesSuggestedFileName
        else { return nil }
        // Any other fault of the name is told when there is content for it, as with the other policies.
        guard let names = try? PartNames(url), POSIXFile.status(names.destination) != nil else { return nil }
        return .exists(names.destination)
    }

    /// Whether the answer may be that the file which is there is still right (304).
    private var isConditional: Bool {
        !headers.isEmpty && (headers.contains("If-None-Match") || headers.contains("If-Modified-Since"))
    }
}
