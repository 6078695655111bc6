import Foundation

/// The content of a response, line by line as it arrives; see ``RequestQueueing/lines(for:)-(NetworkRequest)``.
///
/// A line ends with LF or CR LF, which is not part of it; the last line needs no end. Empty lines are included. Bytes
/// that are not UTF-8 become U+FFFD. If the content breaks off, all complete lines that have arrived come before the
/// error; the beginning of a line does not, because it might be taken for a line. The content can be read once: a second
/// iterator throws `.processing`. Releasing the first one cancels the operation.
public struct ResponseLines: AsyncSequence, Sendable {
    /// A line, without its end.
    public typealias Element = String
    /// The type of error that reading throws.
    public typealias Failure = NetworkError

    /// The maximum length of a line in bytes: a server that never ends a line must not fill the memory.
    public static let maximumLength = 16 * 1024 * 1024

    private let chunks: ResponseChunks

    /// The head of the response.
    public var head: ResponseHead { chunks.head }

    init(chunks: ResponseChunks) {
        self.chunks = chunks
    }

    /// Creates the iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks) }

    /// Reads line by line.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private static let lineFeed: UInt8 = 10
        private static let carriageReturn: UInt8 = 13

        fileprivate var chunks: ResponseChunks.AsyncIterator
        private var chunk: [UInt8] = []
        private var position = 0
        private var isAtEnd = false

        private let head: ResponseHead

        fileprivate init(_ chunks: ResponseChunks) {
            head = chunks.head
            self.chunks = chunks.makeAsyncIterator()
        }

        /// Returns the next line; `nil` at the end of complete content.
        ///
        /// - Throws: the error of the request; `.cancelled` if the task was canceled, `.responseTooLarge` if a line is
        ///   longer than ``maximumLength``.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(NetworkError) -> String? {
            var line: [UInt8] = []
            while !isAtEnd {
                let end = chunk[position...].firstIndex(of: Self.lineFeed)
                line += chunk[position..<(end ?? chunk.endIndex)]
                let length = line.last == Self.carriageReturn ? line.count - 1 : line.count
                guard length <= ResponseLines.maximumLength else {
                    isAtEnd = true
                    var error = NetworkError(.responseTooLarge, response: Response(head: head))
                    error.url = head.url
                    throw error
                }
                if let end {
                    position = end + 1
                    return text(of: line)
                }
                guard let next = try await chunks.next(isolation: actor) else {
                    isAtEnd = true
                    return line.isEmpty ? nil : text(of: line)
                }
                chunk = Array(next)
                position = 0
            }
            return nil
        }

        private func text(of line: [UInt8]) -> String {
            String(repairing: line.last == Self.carriageReturn ? line.dropLast() : line[...])
        }
    }
}
