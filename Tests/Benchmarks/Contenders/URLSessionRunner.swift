import Foundation
import NetworkQueueKit

/// `URLSession` tasks, all resumed at once: the session itself limits how many run at a time.
struct URLSessionRunner: Runner {
    /// Counts content instead of collecting it.
    private final class Discarder: NSObject, URLSessionDataDelegate, Sendable {
        private let received = Guarded<[Int: Int64]>([:])
        private let tally: Tally

        init(_ tally: Tally) { self.tally = tally }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            received.withLock { $0[dataTask.taskIdentifier, default: 0] += Int64(data.count) }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let bytes = received.withLock { $0[task.taskIdentifier] ?? 0 }
            tally.note(bytes: bytes, hasFailed: error != nil || !URLSessionRunner.isGood(task.response))
        }
    }

    let job: Job
    private let size: Int64

    init(_ job: Job) throws {
        self.job = job
        size = try job.uploadSize()
    }

    func run() async throws -> Work {
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = job.concurrency
        configuration.urlCache = nil
        let tally = Tally(job.urls.count)
        let discarder = job.isLarge && job.method == .get && job.folder == nil ? Discarder(tally) : nil
        let session = URLSession(configuration: configuration, delegate: discarder, delegateQueue: nil)
        for number in job.urls.indices {
            makeTask(number, session, tally, isDelegated: discarder != nil).resume()
        }
        let bytes = try await tally.total()
        session.invalidateAndCancel()
        return Work(bytes: bytes)
    }

    private func makeTask(_ number: Int, _ session: URLSession, _ tally: Tally, isDelegated: Bool) -> URLSessionTask {
        let request = job.request(number).urlRequest
        if isDelegated { return session.dataTask(with: request) }
        if let upload = job.upload {
            let size = size
            return session.uploadTask(with: request, fromFile: upload) { _, response, error in
                tally.note(bytes: size, hasFailed: error != nil || !Self.isGood(response))
            }
        }
        if let folder = job.folder {
            let target = folder.appending(path: "\(number)")
            return session.downloadTask(with: request) { file, response, error in
                var bytes: Int?
                if let file, (try? FileManager.default.moveItem(at: file, to: target)) != nil {
                    bytes = try? target.resourceValues(forKeys: [.fileSizeKey]).fileSize
                }
                tally.note(bytes: Int64(bytes ?? 0), hasFailed: bytes == nil || !Self.isGood(response))
            }
        }
        return session.dataTask(with: request) { data, response, error in
            tally.note(bytes: Int64(data?.count ?? 0), hasFailed: error != nil || !Self.isGood(response))
        }
    }

    private static func isGood(_ response: URLResponse?) -> Bool {
        (response as? HTTPURLResponse).map { $0.statusCode / 100 == 2 } ?? false
    }
}
