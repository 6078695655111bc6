import Foundation

/// The last stage, where there is one: what the user's code makes of the response.
extension RequestRun {
    func process(_ result: RequestResult) {
        guard let response = result.response else { return end(with: result) }
        let processors = environment.defaults.processors + request.processors
        let context = context(sent: attempt.exchange)
        pause(
            unprocessed: result,
            for: { () -> Result<Response, NetworkError> in
                var response = response
                for processor in processors {
                    do {
                        response = try await processor.process(response, in: context)
                    } catch {
                        return .failure(NetworkError(error, thrownBy: processor, as: .processing))
                    }
                }
                return .success(response)
            },
            then: { [self] answer in
                switch answer {
                case .success(let response):
                    end(with: RequestResult(head: response.head, data: response.data, fileURL: response.fileURL))
                case .failure(let error):
                    result.removeFile()
                    fail(
                        AttemptFailure(
                            result: RequestResult(head: result.head, data: result.data), error: error))
                }
            })
    }
}

extension RequestResult {
    /// Removes the file that the operation has written: it is not what was wanted. One that was there before stays.
    func removeFile() {
        if self.isKept { return }
        // Never more than one file, whatever has taken its place meanwhile.
        if let fileURL = self.fileURL { unlink(fileURL.path(percentEncoded: false)) }
    }
}
