// README: run
import Foundation
import NetworkQueueKit

func download(_ files: Set<URL>, with queue: RequestQueue) async throws -> [URL: Data] {
    try await withThrowingTaskGroup(of: (URL, Data).self) { group in
        for file in files {
            group.addTask { (file, try await queue.data(for: file)) }
        }
        return try await group.reduce(into: [:]) { contents, file in contents[file.0] = file.1 }
    }
}
