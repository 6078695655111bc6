/// Stands for the content of a response which says that the file is what the server has.
final class KeptFile: BodySink {
    private let file: ExistingFile

    init(_ file: ExistingFile) { self.file = file }

    func write(_ bytes: UnsafeRawBufferPointer) -> ExchangeDisposition { .proceed }
    func finish() -> SinkCompletion { .done(.success(StoredContent(fileURL: file.url, isKept: true))) }
    func abandon() {}
    func discard() {}
}
