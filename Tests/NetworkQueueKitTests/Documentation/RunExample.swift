// README: run
import Foundation
import NetworkQueueKit

func download(_ files: [URL]) async -> [URL: Data] {
    let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "download"))
    let operations = files.map { queue.add($0) }
    let summary = await queue.run()
    if let failure = summary.firstFailure { print(failure.error) }
    return Dictionary(uniqueKeysWithValues: zip(files, operations.map { $0.data ?? Data() }))
}
