import CurlLoopBench
import Foundation

/// The loop in C. It blocks the thread it is called on until it is through.
final class CurlLoopRunner: Runner {
    private let job: Job
    private let addresses: [UnsafePointer<CChar>?]

    init(_ job: Job) {
        self.job = job
        // Never freed: the process ends with the job.
        addresses = job.urls.map { UnsafePointer(strdup($0.absoluteString)) }
    }

    func run() async throws -> Work {
        var result = curl_loop_result()
        let status = addresses.withUnsafeBufferPointer { urls -> Int32 in
            guard let base = urls.baseAddress else { return -1 }
            return (job.folder?.path ?? "").withCString { folder in
                var description = curl_loop_job(
                    urls: base, requests: Int32(urls.count), concurrency: Int32(job.concurrency),
                    folder: job.folder == nil ? nil : folder)
                return curl_loop_run(&description, &result)
            }
        }
        guard status == 0 else { throw BenchmarkFailure("libcurl cannot be loaded") }
        guard result.failures == 0 else { throw BenchmarkFailure("\(result.failures) requests failed") }
        return Work(bytes: result.bytes)
    }
}
