import Foundation

/// The form in which a session gets the content of an exchange.
enum SessionContent: Sendable {
    /// No content, or content in memory.
    case data(Data?)
    /// The user's own file.
    case file(any WholeFileBody, URL)
    /// A copy in a temporary file.
    case spool(SpooledBody)
    /// A stream that is created when the session asks for it, and again if it must send the content again.
    case stream(any ExchangeBody)

    /// Chooses the form, and reads content that must be in memory or copied.
    ///
    /// - Throws: the error of a failed read, and `URLError.cancelled` if the content is no longer wanted.
    init(_ body: (any ExchangeBody)?, policy: SessionPolicy, isWanted: () -> Bool) throws {
        guard let body else {
            self = .data(nil)
            return
        }
        if policy.sendsFilesAndStreams, let body = body as? any WholeFileBody, let file = try body.wholeFile() {
            self = .file(body, file)
        } else if body.length <= (policy.sendsFilesAndStreams ? 1 << 20 : Self.largestOnLinux) {
            self = .data(try body.allBytes())
        } else if policy.sendsFilesAndStreams {
            self = .stream(body)
        } else {
            self = .spool(try SpooledBody(body, isWanted: isWanted))
        }
    }

    // Foundation on Linux may crash if an exchange fails whose content it reads from a file, so small content is kept
    // in memory.
    private static let largestOnLinux: Int64 = 64 << 20

    /// Creates the task that sends the content.
    func makeTask(_ request: URLRequest, in session: URLSession) -> URLSessionTask {
        var request = request
        switch self {
        case .data(let data):
            request.httpBody = data
            return session.dataTask(with: request)
        case .file(_, let url):
            return session.uploadTask(with: request, fromFile: url)
        case .spool(let body):
            return session.uploadTask(with: request, fromFile: body.url)
        case .stream(let body):
            // Without this field the session would send chunks, which many servers refuse.
            request.setValue("\(body.length)", forHTTPHeaderField: "Content-Length")
            return session.uploadTask(withStreamedRequest: request)
        }
    }

    /// Throws if a file has changed while the session sent it.
    func checkSent() throws {
        if case .file(let body, _) = self { _ = try body.wholeFile() }
    }
}

extension ExchangeBody {
    /// Reads the whole content into memory.
    fileprivate func allBytes() throws -> Data {
        var data = Data(count: Int(max(length, 0)))
        var offset = 0
        while offset < data.count {
            let count = try data.withUnsafeMutableBytes { buffer in
                try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[offset...]), at: Int64(offset))
            }
            guard count > 0 else { throw URLError(.requestBodyStreamExhausted) }
            offset += count
        }
        return data
    }
}
