import Foundation
import NetworkQueueKit

/// `URLSession` tasks, all resumed at once: the session itself limits how many run at a time.
struct URLSessionRunner: Runner {
    let job: Job

    func run() async throws -> Work {
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = job.concurrency
        configuration.urlCache = nil
        let tally = Tally(job.urls.count)
        let session = URLSession(configuration: configuration)
        for number in job.urls.indices { makeTask(number, session, tally).resume() }
        let bytes = try await tally.total()
        session.invalidateAndCancel()
        return Work(bytes: bytes)
    }

    private func makeTask(_ number: Int, _ session: URLSession, _ tally: Tally) -> URLSessionTask {
        let request = job.request(number).urlRequest
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
