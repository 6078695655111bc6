import Foundation
import NetworkQueueKit

/// Makes the folders of an upload on its server, as WebDAV does (MKCOL), each once.
///
/// A file asks for its folders when the server has refused it, and holds its slot meanwhile. So servers that need no
/// folders are not asked for any, and no more exchanges run at a time than the queue has slots.
actor ServerFolders {
    /// The failure to make a folder, with which all files in it end.
    struct Failure: Error {
        let folder: URL
        let error: NetworkError
    }

    private let queue: RequestQueue
    private let decoration: RequestDecoration
    private var attempts: [URL: Task<Outcome, Never>] = [:]

    private enum Outcome: Sendable {
        /// Nothing is in it yet.
        case new
        case existing
        case failed(Failure)
    }

    init(_ configuration: NetworkQueue.Configuration, _ transport: any Transport, _ decoration: RequestDecoration) {
        var own = RequestQueue.Configuration()
        own.maxConcurrentRequestCount = configuration.maxConcurrentRequestCount
        own.requestRate = configuration.requestRate
        own.retryPolicy = configuration.retryPolicy
        // A folder is there after one of several requests, and is locked while another process makes it.
        own.retryPolicy.methods.insert("MKCOL")
        own.retryPolicy.statusCodes.insert(423)
        own.headers = configuration.headers
        own.cookieStorage = configuration.cookieStorage
        // Whatever a redirect leads to, it is not the folder that was asked for.
        own.redirectPolicy = .never
        // 405 says that there is a folder already.
        own.validation = .statusCodes(Array(200..<300) + [405])
        queue = RequestQueue(configuration: own, transport: transport)
        self.decoration = decoration
    }

    /// Makes each folder that has not been asked for, the outermost first.
    fileprivate func make(_ folders: [URL]) async {
        for (index, folder) in folders.enumerated() {
            let attempt = attempts[folder] ?? Task { await make(folder) }
            attempts[folder] = attempt
            // The outermost one may be refused although it is there, as the root of a share is by some servers.
            if case .failed = await attempt.value, index > 0 { return }
        }
    }

    private func make(_ folder: URL) async -> Outcome {
        var request = NetworkRequest(folder)
        request.method = "MKCOL"
        decoration.decorate(&request)
        do {
            return try await queue.response(for: request).head.statusCode == 405 ? .existing : .new
        } catch {
            return .failed(Failure(folder: folder, error: error))
        }
    }

    /// Makes the folders below one that is new, where they cannot be yet. Returns whether all these folders are there,
    /// as far as is known.
    fileprivate func prepare(_ folders: [URL]) async throws(Failure) -> Bool {
        var refusal: Failure?
        for (index, folder) in folders.enumerated() {
            switch await attempts[folder]?.value {
            case nil: return false
            case .existing: refusal = nil
            case .new:
                refusal = nil
                await make(folders)
            case .failed(let failure):
                if index > 0 || folders.count == 1 { throw refusal ?? failure }
                refusal = failure
            }
        }
        return true
    }

    /// The folders in which a file lies: the URL, unless it is a server's root, and those below it.
    static func folders(of target: [String], below url: URL) -> [URL] {
        var folders = url.path(percentEncoded: true).allSatisfy { $0 == "/" } ? [] : [url]
        var folder = url
        for name in target.dropLast() {
            folder = folder.appending(component: name, directoryHint: .isDirectory)
            folders.append(folder)
        }
        return folders
    }
}

/// Lets one file of an upload ask for its folders.
final class FolderKeeper: RequestAdapter, RetryDecider {
    private let folders: ServerFolders
    private let urls: [URL]
    /// Whether the folders were there when the latest attempt began.
    private let wereMade = Locked(false)

    init(_ folders: ServerFolders, _ urls: [URL]) { (self.folders, self.urls) = (folders, urls) }

    func adapt(_ request: URLRequest, in context: AttemptContext) async throws -> URLRequest {
        let areMade = try await folders.prepare(urls)
        wereMade.withLock { $0 = areMade }
        return request
    }

    func decision(after error: NetworkError, in context: AttemptContext) async -> RetryDecision {
        if error.underlying is ServerFolders.Failure { return .fail }
        // Some servers answer 500 where a folder is missing, such as nginx.
        guard [.httpStatus(404), .httpStatus(409), .httpStatus(500)].contains(error.code),
            !wereMade.withLock(\.self)
        else { return .usePolicy }
        // After a failure, the next attempt ends with it before anything is sent.
        await folders.make(urls)
        return .retry(after: .zero)
    }
}
