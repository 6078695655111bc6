import Foundation

/// Takes the content of an accepted response. Belongs to the lock of its `RequestRun`, which makes it `Sendable`.
protocol BodySink: AnyObject, Sendable {
    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError)
    /// Puts the whole content in its place. Nothing follows.
    func finish() throws(NetworkError) -> (data: Data?, fileURL: URL?)
    /// Throws away what has been written. Nothing follows.
    func abandon()
}

extension Destination {
    /// A sink for content of the given length, where that is known.
    func makeSink(expecting length: Int64?) throws(NetworkError) -> any BodySink {
        switch self {
        case .memory: MemorySink(expecting: length)
        case .discard: DiscardingSink()
        case .file(let url, let policy, resume: _): try FileSink(url, onConflict: policy)
        }
    }
}
