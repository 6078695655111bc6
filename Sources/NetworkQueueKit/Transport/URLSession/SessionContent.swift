import Foundation

/// In which form a session gets the content of an exchange.
enum SessionContent: Sendable {
    /// No content, or some that is in memory.
    case data(Data?)
    /// The user's own file.
    case file(any WholeFileBody, URL)
    /// A copy.
    case spool(SpooledBody)
    /// A stream that is made when the session asks for it, and again when it has to send again.
    case stream(any ExchangeBody)

    /// Chooses the form, and reads what has to be in memory or in a copy.
    ///
    /// - Throws: what reading throws, and `URLError.cancelled` if the content is not wanted any more.
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

    // Foundation on Linux does not survive every failure of an exchange whose content it reads from a file.
    private static let largestOnLinux: Int64 = 64 << 20

    /// Makes the task that sends it.
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
            // Otherwise the session sends it in chunks, which many servers refuse.
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
    /// The whole content in memory.
    fileprivate func allBytes() throws -> Data {
        var data = Data(count: Int(length))
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
