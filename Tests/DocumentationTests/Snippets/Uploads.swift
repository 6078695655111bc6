import Foundation
import NetworkQueueKit

enum UploadsSnippets {
    struct Note: Encodable {
        let text: String
    }

    static func bodies(_ url: URL, _ file: URL, _ note: Note, _ queue: RequestQueue) throws {
        // snippet: bodies
        queue.add(.put(url, body: .file(file)))
        queue.add(.post(url, body: try .json(note)))
        queue.add(.post(url, body: .urlEncodedForm(["name": "value"])))
        queue.add(.put(url, body: .data(Data("hello".utf8), contentType: "text/plain")))
        // end
    }

    static func form(_ url: URL, _ photo: URL, _ queue: RequestQueue) async throws -> Response {
        // snippet: form
        var form = MultipartForm()
        form.append("Holiday", name: "album")
        form.append(file: photo, name: "photo")
        let response = try await queue.response(for: .post(url, body: .multipart(form)))
        // end
        return response
    }

    static func stream(_ url: URL, _ queue: RequestQueue) async throws -> Response {
        // snippet: stream
        let zeros = RequestBody.stream(length: 1_000_000, contentType: "application/octet-stream") { offset, count in
            Data(count: min(count, 1_000_000 - Int(offset)))
        }
        let response = try await queue.response(for: .put(url, body: zeros))
        // end
        return response
    }

    static func folder(_ files: [URL], to url: URL) async -> NetworkQueue.Summary {
        // snippet: folder
        let queue = NetworkQueue()
        queue.cancelsAllOnFailure = false
        queue.retryPolicy = .standard
        queue.add(contentsOf: files.map { .put(url.appending(component: $0.lastPathComponent), body: .file($0)) })
        let summary = await queue.run()
        for failure in summary.failures {
            let page = failure.error.response?.data.map { String(decoding: $0, as: UTF8.self) }
            print("\(failure.operation.request.url): \(failure.error) \(page ?? "")")
        }
        // end
        return summary
    }

    static func conditions(_ files: [URL], to url: URL) async -> NetworkQueue.Summary {
        // snippet: conditions
        let queue = NetworkQueue()
        queue.cancelsAllOnFailure = false
        for file in files {
            var request = NetworkRequest.upload(file, to: url.appending(component: file.lastPathComponent))
            request.uploadCondition = .ifDifferent
            queue.add(request)
        }
        let summary = await queue.run()
        print("\(summary.bytesSent) bytes sent")
        // end
        return summary
    }

    static func tus(_ file: URL, to endpoint: URL, _ queue: RequestQueue) async throws -> Response {
        // snippet: tus
        let request = NetworkRequest.upload(file, to: endpoint, protocol: .tus)
        let response = try await queue.response(for: request)
        print(response.head.url)  // the URL of the upload, which is a secret
        // end
        return response
    }

    static func post(_ request: NetworkRequest, _ key: String) -> NetworkRequest {
        // snippet: post
        var request = request
        request.headers["Idempotency-Key"] = key
        request.retryPolicy = RetryPolicy(maxRetries: 5, methods: RetryPolicy.idempotentMethods.union(["POST"]))
        // end
        return request
    }
}
