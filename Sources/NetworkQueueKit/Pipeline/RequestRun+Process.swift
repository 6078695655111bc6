import Foundation

/// The last stage, where there is one: what the user's code makes of the content.
extension RequestRun {
    func process(_ result: OperationResult) {
        guard let head = result.head else { return finish(result) }
        let processors = environment.settings.processors + operation.request.processors
        state.withLock { $0.unprocessed = result }
        let operation = operation
        pause(
            for: { () -> Result<ResponseContent, any Error> in
                var content = ResponseContent(head: head, data: result.data, fileURL: result.fileURL)
                do {
                    for processor in processors { content = try await processor.process(content, for: operation) }
                    return .success(content)
                } catch {
                    return .failure(error)
                }
            },
            then: { [self] answer in
                state.withLock { $0.unprocessed = nil }
                switch answer {
                case .success(let content):
                    finish(OperationResult(head: content.head, data: content.data, fileURL: content.fileURL))
                case .failure(let error):
                    result.removeFile()
                    fail(
                        AttemptFailure(
                            result: OperationResult(head: result.head, data: result.data),
                            error: error as? NetworkError ?? NetworkError(.processing, underlying: error)))
                }
            })
    }

    private func finish(_ result: OperationResult) {
        let result = state.withLock { $0.end(result) }
        end(with: result)
    }
}

extension OperationResult {
    /// Removes the file that the operation has written: it is not what was wanted.
    func removeFile() {
        // Never more than one file, whatever has taken its place meanwhile.
        if let fileURL { unlink(fileURL.path(percentEncoded: false)) }
    }
}
