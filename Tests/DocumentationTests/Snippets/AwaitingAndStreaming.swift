import Foundation
import NetworkQueueKit

enum AwaitingAndStreamingSnippets {
    struct Note: Codable, Sendable, Equatable {
        var text: String
    }

    static func values(_ url: URL, _ queue: RequestQueue) async throws -> [Note] {
        // snippet: values
        let notes = try await queue.value(of: [Note].self, for: url)
        let added: Note = try await queue.value(for: .post(url, body: try .json(Note(text: "milk"))))
        try await queue.value(of: Void.self, for: .delete(url))
        // end
        return notes + [added]
    }

    static func all(_ files: Set<URL>, with queue: RequestQueue) async throws -> [URL: Data] {
        // snippet: group
        func download(_ files: Set<URL>, with queue: RequestQueue) async throws -> [URL: Data] {
            try await withThrowingTaskGroup(of: (URL, Data).self) { group in
                for file in files {
                    group.addTask { (file, try await queue.data(for: file)) }
                }
                return try await group.reduce(into: [:]) { contents, file in contents[file.0] = file.1 }
            }
        }
        // end
        return try await download(files, with: queue)
    }

    static func text(of url: URL, _ queue: RequestQueue) async -> String {
        // snippet: errors
        do throws(NetworkError) {
            let data = try await queue.data(for: url)
            return "\(data.count) bytes"
        } catch {
            switch error.code {
            case .httpStatus(404): return "not there"
            case .timedOut, .cannotConnectToHost: return "try again later"
            default: return error.localizedDescription
            }
        }
        // end
    }

    static func operation(_ request: NetworkRequest, _ queue: NetworkQueue) async throws -> Response {
        // snippet: operation
        let operation = queue.add(request)
        queue.go()
        let response = try await operation.response()
        // end
        return response
    }

    static func lines(_ url: URL, _ queue: RequestQueue, handle: (Note) -> Void) async throws {
        // snippet: lines
        let lines = try await queue.lines(for: url)
        print(lines.head.statusCode)
        for try await line in lines {
            handle(try JSONDecoder().decode(Note.self, from: Data(line.utf8)))
        }
        // end
    }

    static func chunks(_ url: URL, _ queue: RequestQueue, into file: FileHandle) async throws {
        // snippet: chunks
        let bytes = try await queue.bytes(for: url)
        for try await chunk in bytes.chunks {
            try file.write(contentsOf: chunk)
        }
        // end
    }
}
