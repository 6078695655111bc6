import Foundation
import NetworkQueueKit

/// A service client ported from Alamofire. The comments show the original calls.
private struct NoteService {
    struct Note: Codable {
        var id: Int?
        let title: String
    }

    let base: URL
    let queue = RequestQueue()

    // Session(interceptor: AuthenticationInterceptor(authenticator: authenticator, credential: credential))
    init(base: URL) {
        self.base = base
        // RetryPolicy(retryLimit: 2)
        queue.retryPolicy = RetryPolicy(maxRetries: 2)
        queue.authenticator = BearerAuthenticator(token: "expired") { _ in "fresh" }
    }

    // session.request(url, parameters: ["page": page]).validate().serializingDecodable([Note].self).value
    func notes(page: Int) async throws -> [Note] {
        let query = [URLQueryItem(name: "page", value: "\(page)")]
        return try await queue.value(for: .get(base.appending(path: "notes"), query: query))
    }

    // session.request(url, method: .post, parameters: note, encoder: .json).serializingDecodable(Note.self).value
    func add(_ note: Note) async throws -> Note {
        try await queue.value(for: .post(base.appending(path: "notes"), body: .json(note)))
    }

    // session.upload(multipartFormData: { $0.append(file, withName: "photo") }, to: url).serializingDecodable(Int.self).value
    func send(_ photo: URL) async throws -> Int {
        var form = MultipartForm()
        form.append(file: photo, name: "photo")
        return try await queue.value(for: .post(base.appending(path: "forms"), body: .multipart(form)))
    }

    // session.download(url, to: destination).downloadProgress { print($0.completedUnitCount) }
    func download(_ name: String, to file: URL) async throws -> URL? {
        let operation = queue.add(.download(base.appending(path: name), to: file))
        for await progress in operation.progressUpdates { print("  \(progress.download.transferred) bytes") }
        return try await operation.response().fileURL
    }
}

enum AlamofirePort: Example {
    static let subject = "code written for Alamofire"

    static func run(_ site: Site) async throws {
        let service = NoteService(base: site.url("/private"))
        try check(try await service.notes(page: 1).map(\.title) == ["Milk", "Bread"], "the token is renewed")
        try check(try await service.add(.init(title: "Cheese")).id == 3, "a note is added")
        let file = try await service.download("large", to: site.file("photo.jpg"))
        try check(file.map { fileSize($0) } == ExampleService.large.size, "a file is there")
        try check(try await service.send(site.file("photo.jpg")) > ExampleService.large.size, "all of it is sent")
    }
}
