import Foundation

/// The last stage: runs the user's response processors.
extension RequestRun {
    func process(_ result: RequestResult) {
        guard let response = result.response else { return end(with: result) }
        let processors = environment.defaults.processors + request.processors
        let context = context(sent: attempt.exchange)
        let keepsFile = processors.contains { $0 is any StoredFileProcessor }
        let work = { @Sendable () async -> Result<Response, NetworkError> in
            var response = response
            for processor in processors {
                do {
                    response = try await processor.process(response, in: context)
                } catch {
                    return .failure(NetworkError(error, thrownBy: processor, as: .processing))
                }
            }
            return .success(response)
        }
        let finish = { @Sendable [self] (answer: Result<Response, NetworkError>) in
            switch answer {
            case .success(let response):
                end(
                    with: RequestResult(
                        head: response.head, data: response.data, fileURL: response.fileURL,
                        isKept: response.wasKept))
            case .failure(let error):
                if !keepsFile { result.removeFile() }
                fail(AttemptFailure(result: RequestResult(head: result.head, data: result.data), error: error))
            }
        }
        guard keepsFile else { return pause(unprocessed: result, for: work, then: finish) }
        if isCancelled { return end(with: RequestResult(head: result.head, error: .cancelled)) }
        // Not as a pause: like the storing of the file, this is not interrupted.
        Task { finish(await work()) }
    }
}

extension RequestResult {
    /// Removes the file that the operation wrote, because the result is not wanted. A file that was kept stays.
    func removeFile() {
        if self.isKept { return }
        // `unlink` removes one file at most, whatever has taken its place.
        if let fileURL = self.fileURL { unlink(fileURL.path(percentEncoded: false)) }
    }
}
